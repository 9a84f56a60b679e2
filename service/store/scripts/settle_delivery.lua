-- needs add_delivery.lua, clock.lua
--
-- Records the outcome of a try of the first delivery of a lane.
-- Run by Deliveries.settle in service/store/deliveries.py.
--
-- KEYS
--   webhook, deliveries, sequences, told, waiting, waking, lane, lanes, taken, held
-- ARGV
--   game             the game's id
--   lane_name        the name of the lane
--   process          the process that has tried it
--   number           the delivery's number
--   delivery         the delivery as it is stored from now on (JSON)
--   then_what        'again' if a retry follows, 'park' if the delivery waits for its webhook, '' if it is finished
--   delay            the delay before the next try, in ms
--   endpoint_asked   '1' if the endpoint asked for this delay, otherwise '0'
--   health           the endpoint's health: 'well', 'ill' or 'gone', or '' if no request was sent to it
--   url              the URL of the request
--   disable_after    how long the endpoint must have failed before the webhook is disabled, in ms
--   failure_window   how long a failure counts, in ms
--   max_finished     how many finished deliveries are kept
--   wake_limit       how many lanes a success wakes
--   follow_up        a delivery that follows from this one (JSON), or ''
-- Returns 1 if the process still has the lane and deliveries wait in the lane, otherwise 0.
--
-- Reason: the order of a lane, the list of its deliveries and the health of the endpoint must agree even if a process
-- dies at any moment. If the reply to a call was lost, the call may be repeated: it changes nothing, because its
-- delivery is no longer the first.
local webhook, deliveries, sequences, told, waiting = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local waking, lane, lanes, taken, held = KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local game, lane_name, process, number, delivery = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local then_what, delay, endpoint_asked = ARGV[6], tonumber(ARGV[7]), ARGV[8] == '1'
local health, url, disable_after, failure_window = ARGV[9], ARGV[10], tonumber(ARGV[11]), tonumber(ARGV[12])
local max_finished, wake_limit, follow_up = tonumber(ARGV[13]), ARGV[14], ARGV[15]

local now = server_time()

local function try_at(name, time)
  redis.call('ZADD', lanes, in_full(time), name)
end

local function let_go()
  redis.call('HDEL', taken, lane_name)
  return 0
end

local function end_delivery()
  redis.call('LPOP', lane)
  redis.call('RPUSH', told, number)
  while redis.call('LLEN', told) > max_finished do
    redis.call('HDEL', deliveries, redis.call('LPOP', told))
  end
end

local function note_success()
  if redis.call('HDEL', webhook, 'failing', 'failed') > 0 then
    redis.call('SUNIONSTORE', waking, waiting)
  end
  for _, other_game in ipairs(redis.call('SPOP', waking, wake_limit)) do
    local other = string.match(lane_name, '^[^ ]+') .. ' ' .. other_game
    if redis.call('ZSCORE', lanes, other) and now >= tonumber(redis.call('HGET', held, other) or 0) then
      try_at(other, now)
    end
  end
end

local function note_failure()
  local failed = redis.call('HGET', webhook, 'failed')
  if failed and now - failed > failure_window then
    redis.call('HDEL', webhook, 'failing')
  end
  redis.call('HSETNX', webhook, 'failing', in_full(now))
  redis.call('HSET', webhook, 'failed', in_full(now))
  if health == 'gone' or now - redis.call('HGET', webhook, 'failing') >= disable_after then
    redis.call('HSET', webhook, 'active', '0', 'disabled', health == 'gone' and 'gone' or 'failing')
  end
end

local holder = redis.call('HGET', taken, lane_name)
if not holder or string.match(holder, '^(.+) %d+$') ~= process then
  return 0
end
if redis.call('HEXISTS', webhook, 'player') == 0 then
  redis.call('DEL', lane)
  return let_go()
end
local is_first = redis.call('LINDEX', lane, 0) == number
if is_first then
  redis.call('HSET', deliveries, number, delivery)
  redis.call('HDEL', held, lane_name)
  if then_what == '' then
    end_delivery()
  end
  if follow_up ~= '' then
    add_delivery(follow_up, game, deliveries, sequences, waiting, lane, webhook)
  end
  -- If the URL of the webhook has changed, the outcome belongs to another endpoint.
  local same_endpoint = redis.call('HGET', webhook, 'url') == url
  if same_endpoint and health == 'well' then
    note_success()
  elseif same_endpoint and health ~= '' then
    note_failure()
  end
end
if redis.call('LLEN', lane) == 0 then
  redis.call('SREM', waiting, game)
  return let_go()
end
if redis.call('HGET', webhook, 'active') ~= '1' then
  return let_go()
end
if then_what == 'park' and redis.call('HEXISTS', webhook, 'verified') == 0 then
  return let_go()
end
if then_what == 'again' and is_first then
  try_at(lane_name, now + delay)
  if endpoint_asked then
    redis.call('HSET', held, lane_name, in_full(now + delay))
  end
  return let_go()
end
return 1
