-- Replaces a player's token.
-- Run by Players.rotate in service/store/players.py.
--
-- KEYS
--   player
-- ARGV
--   token   the hash of the new token
-- Returns 1 if it replaced the token, 0 if the player does not exist.
--
-- Reason: writing a token must not create a player.
local player = KEYS[1]
local token = ARGV[1]

if redis.call('EXISTS', player) == 0 then
  return 0
end
redis.call('HSET', player, 'token', token)
return 1
