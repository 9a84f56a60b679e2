-- needs damage.lua, commands.lua
--
-- Stores one message, puts its id into the lists of everybody who may read it, and wakes these readers.
-- Run by Talk.send in service/store/talk.py.
--
-- KEYS
--   log, talk, sent, outbox, room
--   command_key...   the key of each further command
-- ARGV
--   message          the message's id
--   text             the message, JSON
--   player           its author
--   limit            how many messages the author may write in this game
--   room_limit       how many messages the room may hold, or '' if there is no such limit
--   game             the game's id
--   outbox_length    about how many entries the outbox keeps, or '' if there is nobody to notify
--   channel          the channel for wake-ups
--   wake_up          the message to publish there
--   command...       for each further command its name, how many arguments follow its key, and these arguments
-- Returns the message as this attempt or an earlier attempt stored it, 0 if the author has written too many messages,
-- -1 if the room is full, -2 if there is no such game.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: even if the process dies, a message must be in the lists of all its readers or of none. A repeated request
-- must not send the message twice, and concurrent requests must not exceed a limit together. The script writes the
-- outbox first, because a server that is out of memory refuses only the first write of a script.
local log, talk, sent, outbox, room = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local first_command_key = 6
local message, text, player, limit, room_limit = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local game, outbox_length, channel, wake_up = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local first_command = 10

local damage = damage_among({{log, 'list'}, {talk, 'hash'}, {sent, 'hash'}, {outbox, 'stream'}, {room, 'list'}})
  or damage_among_commands(first_command_key, first_command, {RPUSH = 'list', SADD = 'set'})
if damage then
  return damage
end
local earlier = redis.call('HGET', talk, message)
if earlier then
  return earlier
end
if redis.call('EXISTS', log) == 0 then
  return -2
end
local count = tonumber(redis.call('HGET', sent, player) or '0')
if not count then
  return damage_at(sent)
end
if count >= limit then
  return 0
end
if room_limit and redis.call('LLEN', room) >= room_limit then
  return -1
end

if outbox_length ~= '' then
  local number = redis.call('HLEN', talk) + 1
  redis.call('XADD', outbox, 'MAXLEN', '~', outbox_length, '*', 'game', game, 'seq', number, 'message', message)
end
redis.call('HSET', talk, message, text)
redis.call('HSET', sent, player, count + 1)
apply_commands(first_command_key, first_command)
redis.call('PUBLISH', channel, wake_up)
return text
