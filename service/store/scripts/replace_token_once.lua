-- needs marks.lua
--
-- Replaces a player's token, for a request that may be repeated.
-- Run by Players.rotate_once in service/store/players.py.
--
-- KEYS
--   player
--   claim    of the request
-- ARGV
--   token    the hash of the new token
--   before   the hash of the token that it replaces
-- Returns 1 if this attempt or an earlier one replaced the token, 0 if the player has another token by now.
--
-- Reason: a repetition must not bring back a token that has since been replaced. If two requests replace one token at
-- the same moment, the second one fails.
local player, claim = unpack(KEYS)
local token, before = unpack(ARGV)

if mark(claim, 'rotated') then
  return 1
end
if redis.call('HGET', player, 'token') ~= before then
  return 0
end
redis.call('HSET', player, 'token', token)
set_mark(claim, 'rotated', '1')
return 1
