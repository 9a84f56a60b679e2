-- Finds some of the keys of a shard.
-- Run by Indexes.names_of in service/store/indexes.py.
--
-- KEYS
--   any_key   any key of the shard
-- ARGV
--   cursor    '0' to begin, then the first part of the last reply
--   pattern   the pattern of the keys (MATCH)
--   count     about how many keys the server looks at
-- Returns {cursor, keys}; after the last keys the cursor is '0'.
--
-- Reason: in a cluster, only the node that has the shard can find its keys, and a script runs on the node that has its
-- keys.
local any_key = KEYS[1]
local cursor, pattern, count = unpack(ARGV)

return redis.call('SCAN', cursor, 'MATCH', pattern, 'COUNT', count)
