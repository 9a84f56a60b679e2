-- needs damage.lua
--
-- Stores a player's answer to an invitation.
-- Run by Invitations.answer in service/store/invitations.py.
--
-- KEYS
--   invitations, invited, untold, reserved, feed
-- ARGV
--   game         the game's id
--   player       the player's id
--   invitation   the invitation with its answer, JSON
--   notice       the name of the notice for the webhooks of the player who invited
--   entry        the entry for that player's feed
--   channel      the channel for wake-ups
--   wake_up      the message to publish there
-- Returns 1, or 0 if the player has no unanswered invitation.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: an invitation must have only one answer, even if it is withdrawn or answered again at the same time.
local invitations, invited, untold, reserved, feed = unpack(KEYS)
local game, player, invitation, notice, entry, channel, wake_up = unpack(ARGV)

local damage = damage_among({
  {invitations, 'hash'}, {invited, 'hash'}, {untold, 'hash'}, {reserved, 'hash'}, {feed, 'list'},
})
if damage then
  return damage
end
if redis.call('HDEL', invited, game) == 0 then
  return 0
end
redis.call('HSET', invitations, player, invitation)
redis.call('HSET', untold, notice, invitation)
redis.call('HDEL', reserved, player)
redis.call('RPUSH', feed, entry)
redis.call('PUBLISH', channel, wake_up)
return 1
