-- needs mend.lua
--
-- Takes the next hint.
-- Run by Hints.take in service/hints/queue.py.
--
-- KEYS
--   people, people_places, bots, bots_places
-- ARGV
--   share   while the line of people has hints, one hint in this many is taken from the line of bots
-- Returns {hint, number} with the number of its line (1 people, 3 bots), or nothing if no hint waits.
--
-- Reason: two workers must not take the same hint, and the place of its owner must be removed together with the hint.
local people, people_places, bots, bots_places = unpack(KEYS)
local share = tonumber(ARGV[1])

mend_line(people, people_places)
mend_line(bots, bots_places)

local function take(line, places)
  local hint, place = unpack(redis.call('ZPOPMIN', line))
  local owner = string.match(hint, '%S*$')
  if tonumber(redis.call('HGET', places, owner)) == tonumber(place) then
    redis.call('HDEL', places, owner)
  end
  redis.call('HSET', places, 'taken', place)
  return hint
end

local function take_from_people()
  return {take(people, people_places), 1}
end

local function take_from_bots()
  return {take(bots, bots_places), 3}
end

local people_waiting, bots_waiting = redis.call('ZCARD', people), redis.call('ZCARD', bots)
if bots_waiting == 0 then
  return people_waiting > 0 and take_from_people() or false
end
local passed = tonumber(redis.call('HGET', bots_places, 'passed')) or 0
if people_waiting == 0 or passed + 1 >= share then
  redis.call('HDEL', bots_places, 'passed')
  return take_from_bots()
end
redis.call('HSET', bots_places, 'passed', passed + 1)
return take_from_people()
