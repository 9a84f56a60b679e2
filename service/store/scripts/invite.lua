-- needs damage.lua
--
-- Invites a player to a game.
-- Run by Invitations.invite in service/store/invitations.py.
--
-- KEYS
--   invitations, invited, untold, feed
-- ARGV
--   game         the game's id
--   player       the player's id
--   invitation   the invitation, JSON
--   now          the time (ms since the epoch)
--   most         how many players can be invited to one game
--   notice       the name of the notice for the player's webhooks
--   entry        the entry for the player's feed
--   channel      the channel for wake-ups
--   wake_up      the message to publish there
-- Returns the invitation that is stored now, or 0 if too many players were invited.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: the invitation, the player's list and feed, and the notice must be written together, and a repeated request
-- must neither extend an invitation nor invite a player again who has declined.
local invitations, invited, untold, feed = unpack(KEYS)
local game, player, invitation, now, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local notice, entry, channel, wake_up = ARGV[6], ARGV[7], ARGV[8], ARGV[9]

local damage = damage_among({{invitations, 'hash'}, {invited, 'hash'}, {untold, 'hash'}, {feed, 'list'}})
if damage then
  return damage
end
local earlier = redis.call('HGET', invitations, player)
if earlier then
  local read, stored = pcall(cjson.decode, earlier)
  if read and type(stored) == 'table' then
    local answered = stored.answer and stored.answer ~= cjson.null
    if answered or (tonumber(stored['until']) or 0) > now then
      return earlier
    end
  end
elseif redis.call('HLEN', invitations) >= most then
  return 0
end
redis.call('HSET', invitations, player, invitation)
redis.call('HSET', invited, game, invitation)
redis.call('HSET', untold, notice, invitation)
redis.call('RPUSH', feed, entry)
redis.call('PUBLISH', channel, wake_up)
return invitation
