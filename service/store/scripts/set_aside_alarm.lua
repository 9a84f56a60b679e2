-- Postpones the next check of a game whose clock cannot be updated, even if the game's log is damaged.
-- Run by Alarms.set_aside in service/store/alarms.py.
--
-- KEYS
--   looks
-- ARGV
--   game   the game's id
--   now    the time (ms since the epoch)
--   at     when to look again (ms since the epoch)
-- Returns 1 if it postponed the check, 0 if no check of the game is due.
--
-- Reason: if a commit has changed the game in the meantime, the commit has also written the time of the next check.
local looks = KEYS[1]
local game, now, at = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local due = redis.call('ZSCORE', looks, game)
if not due or tonumber(due) > now then
  return 0
end
redis.call('ZADD', looks, at, game)
return 1
