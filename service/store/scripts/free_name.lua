-- Frees the name of a player, if the player still has it.
-- Run by Players.free_name in service/store/players.py.
--
-- KEYS
--   holder_of_name
-- ARGV
--   id   the player's id
-- Returns 1.
--
-- Reason: a repeated call must not take the name from another player who has registered under it in the meantime.
local holder_of_name = KEYS[1]
local id = ARGV[1]

if redis.call('GET', holder_of_name) == id then
  redis.call('DEL', holder_of_name)
end
return 1
