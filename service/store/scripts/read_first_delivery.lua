-- Reads the first delivery of a lane, and the lane's webhook.
-- Run by Deliveries.first in service/store/deliveries.py.
--
-- KEYS
--   webhook, lane, deliveries
-- ARGV
--   fields...   names of fields of a webhook
-- Returns {values, delivery}: the values of these fields, and the delivery, if there is one.
--
-- Reason: only the lane shows which delivery is the first, so the lane and the delivery must be read together.
local webhook, lane, deliveries = unpack(KEYS)
local fields = ARGV

local number = redis.call('LINDEX', lane, 0)
while number and redis.call('HEXISTS', deliveries, number) == 0 do
  redis.call('LPOP', lane)
  number = redis.call('LINDEX', lane, 0)
end
return {redis.call('HMGET', webhook, unpack(fields)), number and redis.call('HGET', deliveries, number)}
