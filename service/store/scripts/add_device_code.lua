-- Adds the code of a new device.
-- Run by Devices.add in service/store/devices.py.
--
-- KEYS
--   code
-- ARGV
--   player   the player's id
--   scopes   the scopes of the token that the code gives
--   token    the id of the token that asked for the code
--   ttl      how long the code is valid, in ms
-- Returns 1.
--
-- Reason: a repeated call must not make a code valid again after a device has used it.
local code = KEYS[1]
local player, scopes, token, ttl = unpack(ARGV)

if redis.call('EXISTS', code) == 0 then
  redis.call('HSET', code, 'player', player, 'scopes', scopes, 'token', token)
  redis.call('PEXPIRE', code, ttl)
end
return 1
