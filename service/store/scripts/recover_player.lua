-- needs marks.lua
--
-- Replaces all tokens of a player with one new token, and the recovery code with a new code.
-- Run by Players.recover in service/store/players.py.
--
-- KEYS
--   player
--   claim      the claim of the request, if it has an Idempotency-Key
-- ARGV
--   before     the recovery code that is used up, as it is stored
--   recovery   the new recovery code, as it is stored
--   field      the field of the new token
--   value      its value
-- Returns 1 if this attempt or an earlier attempt replaced them, 0 if the player now has another recovery code.
--
-- Reason: a recovery code can be used only once, and no earlier token may stay valid after its use.
local player, claim = KEYS[1], KEYS[2]
local before, recovery, field, value = unpack(ARGV)

local stored = redis.call('HGET', player, 'recovery')
if mark(claim, 'recovered') or stored == recovery then
  return 1
end
if stored ~= before then
  return 0
end
for _, name in ipairs(redis.call('HKEYS', player)) do
  if string.sub(name, 1, 6) == 'token:' then
    redis.call('HDEL', player, name)
  end
end
redis.call('HSET', player, 'token', '', 'recovery', recovery, field, value)
set_mark(claim, 'recovered', '1')
return 1
