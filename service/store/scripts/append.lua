-- needs clock.lua, damage.lua, commands.lua
--
-- Appends one commit to a log and, in the same step, writes everything that follows from the commit.
-- Run by Log.append in service/store/log.py.
--
-- KEYS
--   log, seed, due, outbox, orders
--   command_key...   the key of each further command
-- ARGV
--   expected         the length of the log that the caller has seen
--   commit           the commit
--   game             the game's id
--   bot_acts         '1' if a bot must act now, otherwise ''
--   same_turn        '1' if the commit changes nothing that anybody is waiting for, otherwise ''
--   outbox_length    about how many entries the outbox keeps
--   channel          the channel for wake-ups
--   wake_up          the message to publish there
--   new_seed         the seed of a new game, otherwise ''
--   seat_to_act      the seat that the game waits for and whose standing orders may act, otherwise ''
--   orders_seat      the seat that has moved by its standing orders, otherwise ''
--   orders_read      these orders, as the caller has read them
--   revision         the latest format of commits that the caller knows
--   command...       for each further command its name, how many arguments follow its key, and these arguments
-- Returns {time, due, found} if it appended the commit, or found that an earlier attempt or an identical request had
-- appended it: the time (ms since the epoch), 1 if a bot or a seat's orders must act because of the commit, and 1 if it
-- found the commit. With same_turn, the game stays due since the same time, or not due, and `due` is 0.
-- Otherwise returns 0 if the length or the orders have changed, -1 if the log is corrupt, -2 if the last commit is in a
-- later format.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: neither another writer nor the death of this process may come between the check of the length and the writes
-- that depend on it. A script that fails half-way leaves its earlier writes in place, so it checks every key before its
-- first write. The script writes the outbox first, because a server that is out of memory refuses only the first write
-- of a script, and only a write that adds data. The script writes the log last. The time at which a game becomes due
-- comes from this server's clock, because overdue games are later found with the same clock.
local log, seed, due, outbox, orders = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local first_command_key = 6
local expected, commit, game, bot_acts = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4] ~= ''
local same_turn, outbox_length, channel, wake_up = ARGV[5] ~= '', ARGV[6], ARGV[7], ARGV[8]
local new_seed, seat_to_act, orders_seat, orders_read = ARGV[9], ARGV[10], ARGV[11], ARGV[12]
local revision, first_command = tonumber(ARGV[13]), 14

if is_damaged(log, 'list') or is_damaged(seed, 'string') then
  return -1
end
local damage = damage_among({{due, 'zset'}, {outbox, 'stream'}, {orders, 'hash'}})
if damage then
  return damage
end

local length = redis.call('LLEN', log)
local now = server_time()
if length > expected then
  if redis.call('LINDEX', log, expected) ~= commit then
    return 0
  end
  local since = redis.call('ZSCORE', due, game)
  return {tonumber(since or now), since and 1 or 0, 1}
end
if length < expected then
  return 0
end
if expected > 0 then
  local read, last = pcall(cjson.decode, redis.call('LINDEX', log, -1))
  if not read or type(last) ~= 'table' or type(last.revision) ~= 'number' then
    return -1
  elseif last.revision > revision then
    return -2
  elseif last.seq ~= expected then
    return -1
  end
elseif redis.call('EXISTS', seed) == 1 then
  return -1
end
if orders_seat ~= '' and redis.call('HGET', orders, orders_seat) ~= orders_read then
  return 0
end

local kinds = {RPUSH = 'list', HSET = 'hash', HDEL = 'hash', HINCRBY = 'hash', ZADD = 'zset', ZREM = 'zset'}
local function can_be_counted(key, field)
  local count = redis.call('HGET', key, field)
  return not count or count == '0' or (#count < 16 and string.match(count, '^[1-9]%d*$'))
end
local at = first_command
for number = first_command_key, #KEYS do
  local key, name, arguments = KEYS[number], ARGV[at], tonumber(ARGV[at + 1])
  if is_damaged(key, kinds[name]) or (name == 'HINCRBY' and not can_be_counted(key, ARGV[at + 2])) then
    return damage_at(key)
  end
  at = at + 2 + arguments
end

local function announce()
  return redis.pcall('XADD', outbox, 'MAXLEN', '~', outbox_length, '*', 'game', game, 'seq', expected + 1)
end
local announced = announce()
if type(announced) == 'table' and announced.err and string.find(announced.err, 'exhausted') then
  -- This outbox has no entry ids left, so it starts from the beginning. Deliveries that are lost in this way are
  -- planned from the logs.
  redis.call('DEL', outbox)
  announced = announce()
end
if type(announced) == 'table' and announced.err then
  return redis.error_reply(announced.err)
end

local somebody_acts = bot_acts or (seat_to_act ~= '' and redis.call('HEXISTS', orders, seat_to_act) == 1)
if same_turn then
  somebody_acts = false
elseif somebody_acts then
  redis.call('ZADD', due, in_full(now), game)
else
  redis.call('ZREM', due, game)
end
apply_commands(first_command_key, first_command)
if new_seed ~= '' then
  redis.call('SET', seed, new_seed)
end
redis.call('RPUSH', log, commit)
redis.call('PUBLISH', channel, wake_up)
return {now, somebody_acts and 1 or 0, 0}
