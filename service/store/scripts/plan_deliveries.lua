-- needs add_delivery.lua, clock.lua, damage.lua, marks.lua
--
-- Puts deliveries at the end of a lane.
-- Run by Deliveries.plan in service/store/deliveries.py.
--
-- KEYS
--   webhook, planned, sequences, deliveries, waiting, lane, lanes, taken
--   claim         the claim of the request that causes the deliveries, if it has an Idempotency-Key
-- ARGV
--   game          the game's id
--   plan_name     the field of `planned` for these deliveries: the game's id, or another name for its messages
--   lane_name     the name of the lane
--   before        the commit up to which the game was planned when the caller looked, or '' if it never was
--   upto          the commit up to which the game is planned now, or '' if the deliveries follow from no commit
--   delivery...   the deliveries (JSON objects)
-- Returns the number of the last delivery, 0 if another process has planned the game in the meantime, -1 if there are
-- no deliveries or the webhook does not exist.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: two processes may plan the same deliveries at the same time, or a process may plan them again after another
-- process died. The deliveries must still be sent only once, and in order. Without an entry in `lanes`, the deliveries
-- would wait forever. The script checks every key before its first write. Its last write is the commit up to which the
-- game is planned, so that deliveries that could not be written are planned again.
local webhook, planned, sequences, deliveries = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local waiting, lane, lanes, taken, claim = KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local game, plan_name, lane_name, before, upto = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local first_delivery = 6

local damage = damage_among({
  {webhook, 'hash'}, {planned, 'hash'}, {sequences, 'hash'}, {deliveries, 'hash'},
  {waiting, 'set'}, {lane, 'list'}, {lanes, 'zset'}, {taken, 'hash'},
})
if damage then
  return damage
end
if redis.call('HEXISTS', webhook, 'player') == 0 then
  return -1
end
local earlier = mark(claim, 'planned')
if earlier then
  return tonumber(earlier)
end
local from_commit = upto ~= ''
local planned_now = string.match(redis.call('HGET', planned, plan_name) or '', '^%d+$') or ''
if from_commit and planned_now ~= before then
  return 0
end

local last = -1
for number = first_delivery, #ARGV do
  last = add_delivery(ARGV[number], game, deliveries, sequences, waiting, lane, webhook)
end
local is_tried = redis.call('HEXISTS', taken, lane_name) == 1
local will_be_tried = from_commit and redis.call('ZSCORE', lanes, lane_name)
if last > 0 and not is_tried and not will_be_tried then
  redis.call('ZADD', lanes, in_full(server_time()), lane_name)
end
if from_commit then
  redis.call('HSET', planned, plan_name, upto)
end
set_mark(claim, 'planned', last)
return last
