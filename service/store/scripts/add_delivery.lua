-- Shared: numbers a delivery, puts it at the end of a lane, and returns its number.
-- `delivery` is a JSON object without its number and its sequence.

local function add_delivery(delivery, game, deliveries, sequences, waiting, lane, webhook)
  local number = redis.call('HINCRBY', webhook, 'made', 1)
  redis.call('RPUSH', lane, number)
  redis.call('SADD', waiting, game)
  local sequence = redis.call('HINCRBY', sequences, game, 1)
  local head = '{"number":' .. number .. ',"sequence":' .. sequence .. ','
  -- The delivery is written last: readers skip a number without a delivery.
  redis.call('HSET', deliveries, number, head .. string.sub(delivery, 2))
  return number
end
