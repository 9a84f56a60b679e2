-- needs clock.lua
--
-- Reads the facts about a shard for the metrics: the waiting work, the times at which it began to wait, and the numbers
-- of games.
-- Run by Facts.read in service/store/facts.py.
--
-- KEYS
--   due, looks, lanes, outbox, outbox_read, open, running, finished, private_open, private_running, private_finished
-- Returns the server's time (ms since the epoch), then in this order: the number of due games, and the time at which
-- the first of them became due; the time of the first alarm; the number of due lanes, and the time at which the first
-- of them became due; the time of the first commit whose deliveries are not planned; and the numbers of open, running
-- and finished games, private games included. A time is '' if there is none.
--
-- Reason: a script needs only one reply for each shard, instead of twelve. A damaged key counts as empty, because other
-- reads report it.
local due, looks, lanes, outbox, outbox_read = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local open, running, finished = KEYS[6], KEYS[7], KEYS[8]
local private_open, private_running, private_finished = KEYS[9], KEYS[10], KEYS[11]

local time = server_time()
local now = in_full(time)

local function read(kind, key, ...)
  return redis.call('TYPE', key).ok == kind and redis.call(...) or nil
end

local function count(key)
  return read('zset', key, 'ZCARD', key) or 0
end

local function first(key)
  local row = read('zset', key, 'ZRANGE', key, 0, 0, 'WITHSCORES')
  return row and row[2] or ''
end

local cursor = read('string', outbox_read, 'GET', outbox_read)
cursor = cursor and string.match(cursor, '^%d+%-%d+$')
local unread = read('stream', outbox, 'XRANGE', outbox, cursor and '(' .. cursor or '-', '+', 'COUNT', 1)
local planned_from = unread and unread[1] and string.match(unread[1][1], '^%d+') or ''

return {
  now, count(due), first(due), first(looks), read('zset', lanes, 'ZCOUNT', lanes, '-inf', now) or 0, first(lanes),
  planned_from, count(open) + count(private_open), count(running) + count(private_running),
  count(finished) + count(private_finished),
}
