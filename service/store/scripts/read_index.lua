-- needs damage.lua
--
-- Reads some of the rows of an index.
-- Run by Indexes.rows_of in service/store/indexes.py.
--
-- KEYS
--   index
-- ARGV
--   kind     the type that the index should have: hash, zset or list
--   cursor   '0' to begin, then the first part of the last reply
--   count    about how many rows to read
-- Returns {cursor, rows}; after the last rows the cursor is '0'. The rows of a hash or a zset are its members, each
-- followed by its value.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: a script's reply has the same shape for every kind of index, both on one server and in a cluster.
local index = KEYS[1]
local kind, cursor, count = ARGV[1], ARGV[2], tonumber(ARGV[3])

if is_damaged(index, kind) then
  return damage_at(index)
end
if kind == 'hash' then
  return redis.call('HSCAN', index, cursor, 'COUNT', count)
elseif kind == 'zset' then
  return redis.call('ZSCAN', index, cursor, 'COUNT', count)
end
local first = tonumber(cursor)
local rows = redis.call('LRANGE', index, first, first + count - 1)
return {#rows < count and '0' or tostring(first + #rows), rows}
