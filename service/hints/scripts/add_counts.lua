-- needs mend.lua
--
-- Adds the counts of a process to the totals of all processes, and records the gauges of the process.
-- Run by Totals.add in service/hints/totals.py.
--
-- KEYS
--   totals, processes
-- ARGV
--   process   the process
--   number    the number of this report, one more than that of the last
--   expiry    how long a process that does not report still counts, in ms
--   gauges    the gauges (JSON)
--   count...  a field and the amount by which it has grown, for each field that has grown
-- Returns nothing.
--
-- Reason: a report whose answer was lost is sent again, and must not be counted twice. All times come from this
-- server's clock.
local totals, processes = unpack(KEYS)
local process, number, expiry, gauges = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local first_count, arguments_of_each = 5, 2

mend(totals, 'hash')
mend(processes, 'hash')

local function parse(row)
  local at, last = string.match(row or '', '^(%d+) (%d+) ')
  return tonumber(at) or 0, tonumber(last) or 0
end

local _, last = parse(redis.call('HGET', processes, process))
if number > last then
  for i = first_count, #ARGV, arguments_of_each do
    local added = redis.pcall('HINCRBYFLOAT', totals, ARGV[i], ARGV[i + 1])
    if type(added) == 'table' and added.err then
      redis.call('HSET', totals, ARGV[i], ARGV[i + 1])
    end
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', processes, process, string.format('%.0f %.0f %s', now, math.max(number, last), gauges))
local rows = redis.call('HGETALL', processes)
for i = 1, #rows, 2 do
  if now - parse(rows[i + 1]) > expiry then
    redis.call('HDEL', processes, rows[i])
  end
end
