-- needs clock.lua, damage.lua
--
-- Records that a process is delivering, or that it has stopped.
-- Run by Deliveries.beat in service/store/deliveries.py.
--
-- KEYS
--   deliverers
-- ARGV
--   process    the process
--   lifetime   how long the process counts as running, in ms, or '0' if it has stopped
-- Returns all processes that are running.
--
-- Reason: a single clock must decide which processes are running. Even if that clock is set back, no process counts as
-- running for longer than its lifetime. If the key has an unexpected type, it is deleted, because nothing would be
-- delivered while such a key exists.
local deliverers = KEYS[1]
local process, lifetime = ARGV[1], tonumber(ARGV[2])

if is_damaged(deliverers, 'zset') then
  redis.call('DEL', deliverers)
end
local now = server_time()
if lifetime == 0 then
  redis.call('ZREM', deliverers, process)
else
  local ends = in_full(now + lifetime)
  redis.call('ZREMRANGEBYSCORE', deliverers, '(' .. ends, '+inf')
  redis.call('ZADD', deliverers, ends, process)
end
redis.call('ZREMRANGEBYSCORE', deliverers, '-inf', in_full(now))
return redis.call('ZRANGE', deliverers, 0, -1)
