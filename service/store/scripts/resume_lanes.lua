-- needs clock.lua
--
-- Makes lanes due now, except lanes that a process is trying.
-- Run by Deliveries.resume in service/store/deliveries.py.
--
-- KEYS
--   lanes, taken
-- ARGV
--   lane_names...   the names of the lanes
-- Returns 1.
--
-- Reason: two processes must not try one lane at the same time.
local lanes, taken = unpack(KEYS)
local lane_names = ARGV

local now = in_full(server_time())
for _, lane_name in ipairs(lane_names) do
  if redis.call('HEXISTS', taken, lane_name) == 0 then
    redis.call('ZADD', lanes, now, lane_name)
  end
end
return 1
