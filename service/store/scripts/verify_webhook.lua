-- needs clock.lua
--
-- Records that the endpoint of a webhook has answered its ping.
-- Run by Webhooks.verify in service/store/webhooks.py.
--
-- KEYS
--   webhook
-- ARGV
--   url   the URL that the ping was sent to
-- Returns 1 if it recorded the answer, 0 if the webhook now has a different URL or does not exist.
--
-- Reason: an answer from one endpoint must not verify another endpoint.
local webhook = KEYS[1]
local url = ARGV[1]

if redis.call('HGET', webhook, 'url') ~= url then
  return 0
end
redis.call('HSET', webhook, 'verified', in_full(server_time()))
return 1
