-- needs damage.lua
--
-- Replaces the rows of a feed that the caller has read, if neither the rows nor the log from which they follow have
-- changed.
-- Run by Indexes.mend_feed in service/store/indexes.py.
--
-- KEYS
--   log, feed
-- ARGV
--   length    the length of the log that the caller has read
--   count     how many rows of the feed the caller has read, from its beginning
--   digest    the SHA-1 of these rows, each followed by a newline
--   row...    the rows to write in their place
-- Returns 1 if it replaced the rows, 0 if the log or the rows have changed.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: an append may add rows to the end of the feed at any moment. Such rows stay after the replaced rows.
local log, feed = KEYS[1], KEYS[2]
local length, count, digest = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local first_row = 4

if is_damaged(feed, 'list') then
  return damage_at(feed)
end
local rows = redis.call('LRANGE', feed, 0, -1)
local read = {}
for number = 1, math.min(count, #rows) do
  read[number] = rows[number] .. '\n'
end
if redis.call('LLEN', log) ~= length or redis.sha1hex(table.concat(read)) ~= digest then
  return 0
end
redis.call('DEL', feed)
for number = first_row, #ARGV do
  redis.call('RPUSH', feed, ARGV[number])
end
for number = count + 1, #rows do
  redis.call('RPUSH', feed, rows[number])
end
return 1
