-- needs damage.lua
--
-- Records that a part of the service is running. If the part was silent for too long, also records the outage that now
-- ends.
-- Run by Presence.beat in service/store/presence.py.
--
-- KEYS
--   presence, outages
--   presence_aside, outages_aside   the keys to which damaged keys are moved
-- ARGV
--   part      the part of the service
--   time      the time (ms since the epoch)
--   silence   how long a silence may be before it counts as an outage, in ms
--   kept      how many outages are kept
--   epoch     the earliest time that a part can have recorded
-- Returns 1 if an outage has ended, otherwise 0.
--
-- Reason: if many processes record their presence at the same time, only one of them may record the preceding silence
-- as an outage. A key of an unexpected type contains no times, and every player's clock is stopped until all parts have
-- recorded their presence. Such a damaged key is therefore renamed, and a new key replaces it.
local presence, outages, presence_aside, outages_aside = unpack(KEYS)
local part, time, silence, kept, epoch = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])

if is_damaged(presence, 'hash') then
  redis.call('RENAME', presence, presence_aside)
end
if is_damaged(outages, 'list') then
  redis.call('RENAME', outages, outages_aside)
end
local last = tonumber(redis.call('HGET', presence, part))
local now = tonumber(time)
-- A time before the earliest possible one, or in the future, is an error.
local wrong = last and (last < epoch or (last > now and last > redis.call('TIME')[1] * 1000 + silence))
if last and now <= last and not wrong then
  return 0
end
redis.call('HSET', presence, part, time)
if not last or wrong or now - last <= silence then
  return 0
end
redis.call('RPUSH', outages, string.format('%.0f', last) .. ' ' .. time)
redis.call('LTRIM', outages, -kept, -1)
return 1
