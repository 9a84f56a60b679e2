-- Adds a report of a message.
-- Run by Reports.add in service/store/reports.py.
--
-- KEYS
--   reports
-- ARGV
--   report       its id
--   text         the report, JSON
--   player       the end of the text of every report by the same player
--   limit        how many reports a player may have
--   full_limit   how many reports there may be
-- Returns 1 if it added the report or an earlier attempt did, 0 if the player has too many reports, -1 if there are too
-- many in total.
--
-- Reason: concurrent requests must not exceed a limit together.
local reports = KEYS[1]
local report, text, player, limit, full_limit = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])

if redis.call('HEXISTS', reports, report) == 1 then
  return 1
end
if redis.call('HLEN', reports) >= full_limit then
  return -1
end
local own = 0
for _, other in ipairs(redis.call('HVALS', reports)) do
  if string.sub(other, -#player) == player then
    own = own + 1
  end
end
if own >= limit then
  return 0
end
redis.call('HSET', reports, report, text)
return 1
