-- Postpones the next check of a game in which nothing was due, unless the game has changed in the meantime.
-- Run by Alarms.put_off in service/store/alarms.py.
--
-- KEYS
--   log, looks
-- ARGV
--   length   the length of the log that the caller looked at
--   game     the game's id
--   at       when to look again (ms since the epoch)
-- Returns 1 if it postponed the check, 0 if the game has changed.
--
-- Reason: if a commit has changed the game, the commit has also written the time of the next check.
local log, looks = unpack(KEYS)
local length, game, at = tonumber(ARGV[1]), ARGV[2], ARGV[3]

if redis.call('LLEN', log) ~= length then
  return 0
end
redis.call('ZADD', looks, at, game)
return 1
