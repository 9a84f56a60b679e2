-- Writes a token again, with the time of its last use, under the field that follows from the current secret key.
-- Run by Players in service/store/players.py.
--
-- KEYS
--   player
-- ARGV
--   found_field   the field under which the token was found
--   found_value   the value that was found there
--   field         the field to write; if it is `token-used`, the token stays in the field `token`
--   value         its value
-- Returns 1 if it wrote the token, 0 if the token was changed or removed in the meantime.
--
-- Reason: a token that is revoked at the same time must not come back.
local player = KEYS[1]
local found_field, found_value, field, value = unpack(ARGV)

if redis.call('HGET', player, found_field) ~= found_value then
  return 0
end
if found_field == 'token' then
  if field ~= 'token-used' then
    redis.call('HSET', player, 'token', '')
  end
elseif found_field ~= field then
  redis.call('HDEL', player, found_field)
end
redis.call('HSET', player, field, value)
return 1
