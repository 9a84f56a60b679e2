-- Puts off the next look at a game for which nothing can be done, whatever is wrong with its log.
-- Run by Alarms.set_aside in service/store/alarms.py.
--
-- KEYS
--   looks
-- ARGV
--   game   the game's id
--   now    the time (ms since the epoch)
--   at     when to look again (ms since the epoch)
-- Returns 1 if it put off the look, 0 if no look at the game is due.
--
-- Reason: a commit that has changed the game meanwhile has also written when to look at it.
local looks = KEYS[1]
local game, now, at = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local due = redis.call('ZSCORE', looks, game)
if not due or tonumber(due) > now then
  return 0
end
redis.call('ZADD', looks, at, game)
return 1
