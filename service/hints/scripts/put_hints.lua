-- needs mend.lua
--
-- Puts hints into their lines. A hint that already waits in its line keeps its place.
-- Run by Hints.put in service/hints/queue.py.
--
-- KEYS
--   people, people_places, bots, bots_places
-- ARGV
--   hint...   for each hint the number of its line (1 people, 3 bots), the hint as the line holds it, and its owner
-- Returns nothing.
--
-- Reason: a place follows from the places of other hints, which other processes may add and take at the same moment.
local people, people_places, bots, bots_places = unpack(KEYS)
local first_hint, arguments_of_each = 1, 3

mend_line(people, people_places)
mend_line(bots, bots_places)

local function next_place(line, places, owner)
  local first = redis.call('ZRANGE', line, 0, 0, 'WITHSCORES')
  if not first[1] then
    redis.call('DEL', places)
    return 1
  end
  local function known(name)
    return tonumber(redis.call('HGET', places, name)) or 0
  end
  -- `taken` may have been lost. No hint gets a place before the hints that already wait.
  return math.max(known('taken'), first[2] - 1, known(owner)) + 1
end

local lines = {['1'] = {people, people_places}, ['3'] = {bots, bots_places}}
for at = first_hint, #ARGV, arguments_of_each do
  local number, hint, owner = unpack(ARGV, at, at + arguments_of_each - 1)
  local line, places = unpack(lines[number])
  if not redis.call('ZSCORE', line, hint) then
    local place = next_place(line, places, owner)
    redis.call('ZADD', line, place, hint)
    redis.call('HSET', places, owner, place)
  end
end
