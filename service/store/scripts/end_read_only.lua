-- Ends read-only mode in the first shard, which records outages: the time since the mode began becomes an outage.
-- Run by ReadOnly.end in service/store/read_only.py.
--
-- KEYS
--   closed, presence, outages
-- ARGV
--   time    the time (ms since the epoch)
--   kept    how many outages are kept
-- Returns 1 if the mode was on, otherwise 0. The shards stay closed until the caller removes their keys.
--
-- Reason: the outage must be recorded before any process can write again, so that every clock takes it into account. An
-- outage counts only up to the time at which a part last recorded its presence, so every known part is recorded as
-- present now. If a part was silent before the mode began, the outage begins with that silence. A repeated call adds an
-- outage that begins where the last outage ended.
local closed, presence, outages = unpack(KEYS)
local time, kept = ARGV[1], tonumber(ARGV[2])

local since = tonumber(redis.call('GET', closed))
if not since then
  return 0
end
local first = since
local found = redis.call('TYPE', presence).ok == 'hash' and redis.call('HGETALL', presence) or {}
for number = 1, #found, 2 do
  local last = tonumber(found[number + 1])
  if last then
    first = math.min(first, last)
    if last < tonumber(time) then
      redis.call('HSET', presence, found[number], time)
    end
  end
end
local kind = redis.call('TYPE', outages).ok
if first < tonumber(time) and (kind == 'list' or kind == 'none') then
  redis.call('RPUSH', outages, string.format('%.0f', first) .. ' ' .. time)
  redis.call('LTRIM', outages, -kept, -1)
end
redis.call('SET', closed, time)
return 1
