-- needs damage.lua, commands.lua
--
-- Writes rows of indexes as they follow from a log, if the log is as long as the caller has read it.
-- Run by Indexes.mend in service/store/indexes.py.
--
-- KEYS
--   log
--   command_key...   the key of each command
-- ARGV
--   length           the length of the log that the caller has read
--   command...       of each command its name, how many arguments follow its key, and these arguments
-- Returns 1 if it wrote the rows, 0 if the log has changed.
-- Fails with WRONGTYPE and the name of a key that does not hold what it should.
--
-- Reason: a commit that changed the game meanwhile has also written its rows. A script that fails half-way leaves what
-- it has written, so it looks at every key before its first write.
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
