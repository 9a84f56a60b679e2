-- needs clock.lua, marks.lua
--
-- Puts deliveries at the ends of their lanes again. A lane that no process is trying becomes due immediately.
-- Run by Deliveries.repeat in service/store/deliveries.py.
--
-- KEYS
--   deliveries, told, waiting, lanes, taken
--   lane...        the lane of each delivery, then the claim of the request if there is one
-- ARGV
--   has_claim      '1' if the request has an Idempotency-Key, otherwise ''
--   delivery...    for each delivery its number, the delivery (JSON), its game and the name of its lane
-- Returns how many of these deliveries are now waiting. Deliveries that are no longer stored are not counted.
--
-- Reason: a delivery must be in its lane only once, and must not be removed while it waits. A repeated request must not
-- repeat deliveries that were created after the first request.
local deliveries, told, waiting, lanes, taken = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local first_lane = 6
local has_claim = ARGV[1] == '1'
local first_delivery, arguments_of_each = 2, 4

local claim = has_claim and KEYS[#KEYS] or nil
local earlier = mark(claim, 'repeated')
if earlier then
  return tonumber(earlier)
end
local now = in_full(server_time())
local count = 0
for i = 0, (#ARGV - first_delivery + 1) / arguments_of_each - 1 do
  local lane, at = KEYS[first_lane + i], first_delivery + arguments_of_each * i
  local number, delivery, game, lane_name = unpack(ARGV, at, at + arguments_of_each - 1)
  if redis.call('HEXISTS', deliveries, number) == 1 then
    count = count + 1
    if redis.call('LREM', told, 0, number) > 0 then
      redis.call('HSET', deliveries, number, delivery)
      redis.call('RPUSH', lane, number)
      redis.call('SADD', waiting, game)
    end
    if redis.call('HEXISTS', taken, lane_name) == 0 then
      redis.call('ZADD', lanes, now, lane_name)
    end
  end
end
set_mark(claim, 'repeated', count)
return count
