-- needs clock.lua, damage.lua
--
-- Gives a process the lanes of a shard that must be tried now.
-- Run by Deliveries.take in service/store/deliveries.py.
--
-- KEYS
--   lanes, taken
-- ARGV
--   process       the process
--   limit         the maximum number of lanes
--   thoroughly    '1' to also check the lanes that are taken already, otherwise ''
--   grace         how long a process that is not known to be running may keep a lane, in ms
--   at_work...    the processes that are known to be running
-- Returns the names of the lanes; with `thoroughly`, also the names of the lanes that the process took before.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: two processes must not try one lane at the same time, and a lane that a dead process had taken must be tried
-- again. A process that has just started may not be known to other processes yet. A lane whose entry in `taken` cannot
-- be read counts as not taken.
local lanes, taken = unpack(KEYS)
local process, limit, thoroughly, grace = ARGV[1], ARGV[2], ARGV[3] == '1', tonumber(ARGV[4])
local first_at_work = 5

local damage = damage_among({{lanes, 'zset'}, {taken, 'hash'}})
if damage then
  return damage
end
local time = server_time()
local now = in_full(time)
local mine = {}
if thoroughly then
  local is_at_work = {}
  for number = first_at_work, #ARGV do
    is_at_work[ARGV[number]] = true
  end
  local holders = redis.call('HGETALL', taken)
  for i = 1, #holders, 2 do
    local lane = holders[i]
    local holder, since = string.match(holders[i + 1], '^(.+) (%d+)$')
    if holder == process then
      table.insert(mine, lane)
    elseif not since or (not is_at_work[holder] and time - since >= grace) then
      redis.call('HDEL', taken, lane)
      redis.call('ZADD', lanes, now, lane)
    end
  end
end
for _, lane in ipairs(redis.call('ZRANGEBYSCORE', lanes, '-inf', now, 'LIMIT', 0, limit)) do
  redis.call('ZREM', lanes, lane)
  redis.call('HSET', taken, lane, process .. ' ' .. now)
  table.insert(mine, lane)
end
return mine
