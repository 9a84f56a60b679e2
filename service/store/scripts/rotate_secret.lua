-- needs clock.lua, marks.lua
--
-- Makes a new secret the current secret of a webhook. The previous secret stays valid for some time.
-- Run by Webhooks.rotate in service/store/webhooks.py.
--
-- KEYS
--   webhook
--   claim        the claim of the request, if it has an Idempotency-Key
-- ARGV
--   new_secret   the secret
--   until_when   when the previous secret ceases to be valid (ms since the epoch)
-- Returns 1 if this attempt or an earlier attempt at the same call stored the secret, 0 if the webhook does not exist.
--
-- Reason: if two requests set a new secret at the same time, neither secret may invalidate the other.
local webhook, claim = KEYS[1], KEYS[2]
local new_secret, until_when = ARGV[1], tonumber(ARGV[2])

local stored = redis.call('HGET', webhook, 'secrets')
if not stored then
  return 0
end
local secrets = cjson.decode(stored)
if mark(claim, 'rotated') then
  return 1
end
set_mark(claim, 'rotated', '1')
if secrets[1][1] == new_secret then
  return 1
end
local now = server_time()
local valid = {{new_secret, 0}}
for _, secret in ipairs(secrets) do
  local ends = secret[2] == 0 and until_when or secret[2]
  if ends > now then
    table.insert(valid, {secret[1], ends})
  end
end
redis.call('HSET', webhook, 'secrets', cjson.encode(valid))
return 1
