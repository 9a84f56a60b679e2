-- needs damage.lua, commands.lua
--
-- Writes rows of indexes as they follow from a log, if the log still has the length that the caller has read.
-- Run by Indexes.mend in service/store/indexes.py.
--
-- KEYS
--   log
--   command_key...   the key of each command
-- ARGV
--   length           the length of the log that the caller has read
--   command...       for each command its name, how many arguments follow its key, and these arguments
-- Returns 1 if it wrote the rows, 0 if the log has changed.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: if a commit has changed the game since the read, the commit has also written the game's rows. A script that
-- fails half-way leaves its earlier writes in place, so it checks every key before its first write.
local log = KEYS[1]
local first_command_key = 2
local length = tonumber(ARGV[1])
local first_command = 2

if redis.call('LLEN', log) ~= length then
  return 0
end
local kinds = {HSET = 'hash', HDEL = 'hash', ZADD = 'zset', ZREM = 'zset'}
local damage = damage_among_commands(first_command_key, first_command, kinds)
if damage then
  return damage
end
apply_commands(first_command_key, first_command)
return 1
