-- needs clock.lua
--
-- Writes a seat's standing orders and their history, if the caller's copies of both are still current, and marks
-- whether the game's turn is due.
-- Run by Orders.change in service/store/orders.py.
--
-- KEYS
--   log, due, orders, history
-- ARGV
--   length           the length of the log that the caller has read
--   game             the game's id
--   seat             the seat
--   orders_before    the orders that were read, or ''
--   history_before   the history that was read, or ''
--   orders_after     the orders to write, or '' to remove them
--   history_after    the history to write, or '' to remove it
--   turn             '1' if the game waits for the seat and its orders must act now, '0' if it waits for the seat and
--                    the orders do not apply, otherwise ''
-- Returns the time (ms since the epoch) if this attempt or an earlier attempt wrote the orders, 0 if the log, the
-- orders or the history have changed.
--
-- Reason: orders may be given, followed and withdrawn at the same time, and are valid for the position in which they
-- were given. If a seat has no orders, or no orders that apply, its turn must not stay due forever.
local log, due, orders, history = unpack(KEYS)
local length, game, seat = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local orders_before, history_before, orders_after, history_after = ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local turn = ARGV[8]

local function text_in(key)
  return redis.call('HGET', key, seat) or ''
end
local function write(key, text)
  if text == '' then
    redis.call('HDEL', key, seat)
  else
    redis.call('HSET', key, seat, text)
  end
end

if redis.call('LLEN', log) ~= length then
  return 0
end
local orders_now, history_now = text_in(orders), text_in(history)
local unchanged = orders_now == orders_before and history_now == history_before
local written = orders_now == orders_after and history_now == history_after
if not unchanged and not written then
  return 0
end
local now = server_time()
write(orders, orders_after)
write(history, history_after)
if turn == '1' then
  redis.call('ZADD', due, in_full(now), game)
elseif turn == '0' then
  redis.call('ZREM', due, game)
end
return now
