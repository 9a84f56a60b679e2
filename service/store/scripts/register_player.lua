-- Registers a player, unless the name is taken.
-- Run by Players._register in service/store/players.py.
--
-- KEYS
--   holder_of_name, player
-- ARGV
--   id          the player's id
--   recovery    the recovery code as it is stored, or ''
--   fields...   the other fields of the player, each followed by its value
-- Returns 1 if it registered the player, 2 if an earlier attempt of the same registration did, 0 if the name is taken.
--
-- Reason: if two players request the same name at the same time, only one of them may get it.
local holder_of_name, player = unpack(KEYS)
local id, recovery = ARGV[1], ARGV[2]
local fields = {unpack(ARGV, 3)}

local holder = redis.call('GET', holder_of_name)
if holder and holder ~= id then
  return 0
end
if not holder then
  redis.call('SET', holder_of_name, id)
  redis.call('HSET', player, unpack(fields))
end
-- If release 0.3.0 began a registration that is repeated now, the player gets the recovery code now.
if recovery ~= '' then
  redis.call('HSETNX', player, 'recovery', recovery)
end
return holder and 2 or 1
