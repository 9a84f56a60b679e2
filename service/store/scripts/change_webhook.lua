-- needs marks.lua
--
-- Changes fields of a webhook.
-- Run by Webhooks.change in service/store/webhooks.py.
--
-- KEYS
--   webhook
--   planned         the commits up to which the webhook's deliveries are planned
--   claim           the claim of the request, if it has an Idempotency-Key
-- ARGV
--   games_changed   '1' if the list of the webhook's games changes, otherwise ''
--   removals        how many fields to remove
--   removed...      the names of these fields
--   changed...      the fields to write, each followed by its value
-- Returns 1 if this attempt or an earlier attempt changed the webhook, 0 if the webhook does not exist.
--
-- Reason: a change must not create a webhook. Commits that were made while the webhook was inactive, or in games that
-- it did not include, are not delivered later.
local webhook, planned, claim = KEYS[1], KEYS[2], KEYS[3]
local games_changed, removals = ARGV[1] == '1', tonumber(ARGV[2])
local removed = {unpack(ARGV, 3, 2 + removals)}
local changed = {unpack(ARGV, 3 + removals)}

if redis.call('EXISTS', webhook) == 0 then
  return 0
end
if mark(claim, 'changed') then
  return 1
end
set_mark(claim, 'changed', '1')
if games_changed or redis.call('HGET', webhook, 'active') ~= '1' then
  redis.call('DEL', planned)
end
if #removed > 0 then
  redis.call('HDEL', webhook, unpack(removed))
end
if #changed > 0 then
  redis.call('HSET', webhook, unpack(changed))
end
return 1
