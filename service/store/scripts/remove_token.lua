-- needs marks.lua
--
-- Removes a token of a player.
-- Run by Players.remove_token in service/store/players.py.
--
-- KEYS
--   player
--   claim    the claim of the request, if it has an Idempotency-Key
-- ARGV
--   id       the token's id
--   old      the value of the field `token`, if the token is stored there, otherwise ''
-- Returns 1 if this attempt or another attempt at the same request removed the token, 0 if the player has no such
-- token.
--
-- Reason: a token moves to another field when the secret key changes, perhaps during this call.
local player, claim = KEYS[1], KEYS[2]
local id, old = unpack(ARGV)

if mark(claim, 'token-removed') then
  return 1
end
local removed = 0
local fields = redis.call('HGETALL', player)
for number = 1, #fields, 2 do
  local name, stored = fields[number], fields[number + 1]
  if string.sub(name, 1, 6) == 'token:' then
    local readable, token = pcall(cjson.decode, stored)
    if readable and type(token) == 'table' and token.id == id then
      removed = redis.call('HDEL', player, name)
    end
  elseif name == 'token' and old ~= '' and stored == old then
    redis.call('HSET', player, 'token', '')
    removed = 1
  end
end
if removed == 1 then
  set_mark(claim, 'token-removed', '1')
end
return removed
