-- Adds a webhook.
-- Run by Webhooks.add in service/store/webhooks.py.
--
-- KEYS
--   webhooks    the player's webhooks
--   webhook
-- ARGV
--   id          the webhook's id
--   limit       how many webhooks a player may have
--   fields...   its fields, each followed by its value
-- Returns 1 if it added the webhook, 2 if an earlier attempt did, 0 if the player has too many webhooks.
--
-- Reason: if two requests arrive at the same time, only one of them may get the last place.
local webhooks, webhook = unpack(KEYS)
local id, limit = ARGV[1], tonumber(ARGV[2])
local fields = {unpack(ARGV, 3)}

if redis.call('EXISTS', webhook) == 1 then
  return 2
end
if redis.call('SCARD', webhooks) >= limit then
  return 0
end
redis.call('SADD', webhooks, id)
redis.call('HSET', webhook, unpack(fields))
return 1
