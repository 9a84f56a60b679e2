-- Reserves a name for a player, unless another player has it.
-- Run by Directory.rename in service/store/directory.py.
--
-- KEYS
--   holder_of_name
-- ARGV
--   id   the player's id
-- Returns 1 if the player has the name now, 0 if another player has it.
--
-- Reason: if two players request the same name at the same time, only one of them may get it.
local holder_of_name = KEYS[1]
local id = ARGV[1]

local holder = redis.call('GET', holder_of_name)
if not holder then
  redis.call('SET', holder_of_name, id)
end
return (not holder or holder == id) and 1 or 0
