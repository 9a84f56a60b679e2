-- needs marks.lua, has_token.lua
--
-- Adds a token to a player. If the player has too many tokens, removes tokens that have expired.
-- Run by Players.add_token in service/store/players.py.
--
-- KEYS
--   player
--   claim   the claim of the request, if it has an Idempotency-Key
-- ARGV
--   field   the field of the token
--   value   its value
--   limit   how many tokens a player may have
--   now     the time (ms since the epoch)
--   asker   the id of the token that asks for the new one, otherwise ''
--   old     the value of the field `token`, if the asking token is stored there, otherwise ''
-- Returns the value that this attempt or an earlier attempt has stored, 0 if the player has too many tokens, -1 if the
-- player does not exist, -2 if the player no longer has the asking token.
--
-- Reason: if two requests arrive at the same time, only one of them may get the last place. The script must not create
-- a player. A token that is revoked at the same time must not be able to create another token.
local player, claim = KEYS[1], KEYS[2]
local field, value, limit, now = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local asker, old = ARGV[5], ARGV[6]

if redis.call('HEXISTS', player, 'name') == 0 then
  return -1
end
local stored_value = redis.call('HGET', player, field)
if stored_value then
  return stored_value
end
if mark(claim, 'token-added') then
  return value
end
if asker ~= '' and not has_token(player, asker, old) then
  return -2
end
local tokens, expired = 0, {}
local fields = redis.call('HGETALL', player)
for number = 1, #fields, 2 do
  local name, stored = fields[number], fields[number + 1]
  if string.sub(name, 1, 6) == 'token:' then
    tokens = tokens + 1
    local readable, token = pcall(cjson.decode, stored)
    if readable and type(token) == 'table' and type(token.expires) == 'number' and token.expires <= now then
      table.insert(expired, name)
    end
  elseif name == 'token' and stored ~= '' then
    tokens = tokens + 1
  end
end
if tokens >= limit and #expired > 0 then
  redis.call('HDEL', player, unpack(expired))
  tokens = tokens - #expired
end
if tokens >= limit then
  return 0
end
redis.call('HSET', player, field, value)
set_mark(claim, 'token-added', '1')
return value
