-- Reads a whole hash.
-- Run by read_hash in service/store/hashes.py.
--
-- KEYS
--   hash
-- Returns all fields, each followed by its value.
--
-- Reason: the client for a cluster changes the shape of the reply to HGETALL.
local hash = KEYS[1]

return redis.call('HGETALL', hash)
