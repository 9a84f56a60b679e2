-- needs marks.lua
--
-- Removes a webhook.
-- Run by Webhooks.remove in service/store/webhooks.py.
--
-- KEYS
--   webhooks       the player's webhooks
--   lanes
--   key...         all other keys of the webhook, then the claim of the request if there is one
-- ARGV
--   id             the webhook's id
--   has_claim      '1' if the request has an Idempotency-Key, otherwise ''
--   lane_name...   the names of its lanes
-- Returns 1.
--
-- Reason: a partly removed webhook would still count towards the player's limit, and could no longer be removed.
local webhooks, lanes = KEYS[1], KEYS[2]
local first_key = 3
local id, has_claim = ARGV[1], ARGV[2] == '1'
local first_lane_name = 3

local claim = has_claim and KEYS[#KEYS] or nil
local last_key = has_claim and #KEYS - 1 or #KEYS
for number = first_key, last_key do
  redis.call('DEL', KEYS[number])
end
redis.call('SREM', webhooks, id)
for number = first_lane_name, #ARGV do
  redis.call('ZREM', lanes, ARGV[number])
end
set_mark(claim, 'removed', '1')
return 1
