-- needs marks.lua
--
-- Gives a player a new recovery code.
-- Run by Players.replace_recovery in service/store/players.py.
--
-- KEYS
--   player
--   claim      the claim of the request, if it has an Idempotency-Key
-- ARGV
--   recovery   the new recovery code, as it is stored
-- Returns 1 if this attempt or an earlier attempt stored the code, 0 if the player does not exist.
--
-- Reason: a repetition must not bring back a code that has since been replaced, and a code must not create a player.
local player, claim = KEYS[1], KEYS[2]
local recovery = ARGV[1]

if redis.call('HEXISTS', player, 'name') == 0 then
  return 0
end
if mark(claim, 'recovery-replaced') then
  return 1
end
redis.call('HSET', player, 'recovery', recovery)
set_mark(claim, 'recovery-replaced', '1')
return 1
