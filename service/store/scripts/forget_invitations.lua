-- needs damage.lua
--
-- Removes a player's invitation to a game, and the seat that is reserved for the player.
-- Run by Invitations.forget in service/store/invitations.py.
--
-- KEYS
--   invitations, invited, reserved
-- ARGV
--   game     the game's id
--   player   the player's id
-- Returns 1.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: the game and the player must not disagree about whether there is an invitation.
local invitations, invited, reserved = unpack(KEYS)
local game, player = unpack(ARGV)

local damage = damage_among({{invitations, 'hash'}, {invited, 'hash'}, {reserved, 'hash'}})
if damage then
  return damage
end
redis.call('HDEL', invitations, player)
redis.call('HDEL', invited, game)
redis.call('HDEL', reserved, player)
return 1
