-- needs mend.lua
--
-- Reads the lines, and counts the jobs that are missing on the queue.
-- Run by Hints.waiting in service/hints/queue.py.
--
-- KEYS
--   people, people_places, bots, bots_places
--   jobs   the list of the jobs that wait
-- Returns the hints in the line of people, the hints in the line of bots, and how many more hints than jobs wait.
--
-- Reason: workers take hints and jobs all the time, so both must be counted at the same instant.
local people, people_places, bots, bots_places, jobs = unpack(KEYS)

mend_line(people, people_places)
mend_line(bots, bots_places)
mend(jobs, 'list')

local people_hints, bots_hints = redis.call('ZRANGE', people, 0, -1), redis.call('ZRANGE', bots, 0, -1)
return {people_hints, bots_hints, math.max(0, #people_hints + #bots_hints - redis.call('LLEN', jobs))}
