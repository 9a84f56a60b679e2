-- Makes a webhook inactive, and replaces all of its secrets with one secret.
-- Run by Webhooks.pause in service/store/webhooks.py.
--
-- KEYS
--   webhook
-- ARGV
--   secret   the secret
-- Returns 1 if it paused the webhook, 0 if the webhook does not exist.
--
-- Reason: the script must not create a webhook, and nothing may be signed with an older secret afterwards.
local webhook = KEYS[1]
local secret = ARGV[1]

if redis.call('EXISTS', webhook) == 0 then
  return 0
end
redis.call('HSET', webhook, 'active', '0', 'secrets', cjson.encode({{secret, 0}}))
return 1
