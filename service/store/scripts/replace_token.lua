-- needs marks.lua
--
-- Replaces one token of a player.
-- Run by Players.replace_token in service/store/players.py.
--
-- KEYS
--   player
--   claim       the claim of the request, if it has an Idempotency-Key
-- ARGV
--   field       the field of the new token
--   value       its value
--   before      the SHA-256 of the token that it replaces
--   old         the SHA-256 of the new token, if it may take the field `token` from the old one, otherwise ''
--   now         the time (ms since the epoch)
--   fields...   the fields that the replaced token may have
-- Returns 1 if this attempt or an earlier attempt replaced the token, 0 if the player no longer has the token.
--
-- Reason: a repeated call must not bring back a token that has since been replaced. If two requests replace the same
-- token at the same time, the second request fails.
local player, claim = KEYS[1], KEYS[2]
local field, value, before, old, now = unpack(ARGV)
local fields = {unpack(ARGV, 6)}

local stored = redis.call('HGET', player, 'token')
if mark(claim, 'rotated') or redis.call('HEXISTS', player, field) == 1 or (old ~= '' and stored == old) then
  return 1
end
local removed = redis.call('HDEL', player, unpack(fields))
if stored == before then
  redis.call('HSET', player, 'token', old, 'token-used', now)
elseif removed == 0 then
  return 0
end
if stored ~= before or old == '' then
  redis.call('HSET', player, field, value)
end
set_mark(claim, 'rotated', '1')
return 1
