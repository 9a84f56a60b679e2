-- Registers a player, unless the name is taken.
-- Run by Players._register in service/store/players.py.
--
-- KEYS
--   holder_of_name, player
-- ARGV
--   id          the player's id
--   fields...   the fields of the player, each followed by its value
-- Returns 1 if it registered the player, 2 if an earlier attempt of the same registration did, 0 if the name is taken.
--
-- Reason: of two players who ask for one name at the same moment, only one may get it.
local holder_of_name, player = unpack(KEYS)
local id = ARGV[1]
local fields = {unpack(ARGV, 2)}

local holder = redis.call('GET', holder_of_name)
if holder then
  return holder == id and 2 or 0
end
redis.call('SET', holder_of_name, id)
redis.call('HSET', player, unpack(fields))
return 1
