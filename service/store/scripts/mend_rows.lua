-- needs damage.lua
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
local at = first_command
for number = first_command_key, #KEYS do
  if is_damaged(KEYS[number], kinds[ARGV[at]]) then
    return damage_at(KEYS[number])
  end
  at = at + 2 + tonumber(ARGV[at + 1])
end
at = first_command
for number = first_command_key, #KEYS do
  local name, arguments = ARGV[at], tonumber(ARGV[at + 1])
  redis.call(name, KEYS[number], unpack(ARGV, at + 2, at + 1 + arguments))
  at = at + 2 + arguments
end
return 1
