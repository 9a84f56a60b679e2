-- needs marks.lua, has_token.lua
--
-- Gives a player a new recovery code.
-- Run by Players.replace_recovery in service/store/players.py.
--
-- KEYS
--   player
--   claim      the claim of the request, if it has an Idempotency-Key
-- ARGV
--   recovery   the new recovery code, as it is stored
--   asker      the id of the token that asks for the code
--   old        the value of the field `token`, if the asking token is stored there, otherwise ''
-- Returns 1 if this attempt or an earlier attempt stored the code, 0 if the player does not exist or no longer has the
-- asking token.
--
-- Reason: a repeated call must not bring back a code that has since been replaced, and the script must not create a
-- player. If a token is revoked at the same time, nobody may be able to recover the account with a code that was
-- requested with this token.
local player, claim = KEYS[1], KEYS[2]
local recovery, asker, old = unpack(ARGV)

if redis.call('HEXISTS', player, 'name') == 0 then
  return 0
end
if mark(claim, 'recovery-replaced') then
  return 1
end
if not has_token(player, asker, old) then
  return 0
end
redis.call('HSET', player, 'recovery', recovery)
set_mark(claim, 'recovery-replaced', '1')
return 1
