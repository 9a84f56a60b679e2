-- Takes the code of a new device.
-- Run by Devices.take in service/store/devices.py.
--
-- KEYS
--   code
-- ARGV
--   attempt   a name for the attempt at the request
-- Returns {player, scopes, token}, or nothing if there is no such code or another attempt has taken it.
--
-- Reason: if two devices send the same code at the same time, only one of them may get a token.
local code = KEYS[1]
local attempt = ARGV[1]

if redis.call('EXISTS', code) == 0 then
  return nil
end
redis.call('HSETNX', code, 'taken', attempt)
if redis.call('HGET', code, 'taken') ~= attempt then
  return nil
end
return redis.call('HMGET', code, 'player', 'scopes', 'token')
