-- Records up to where an outbox has been read.
-- Run by Outbox.done in service/store/outbox.py.
--
-- KEYS
--   cursor
-- ARGV
--   entry   the last entry that has been read
-- Returns nothing.
--
-- Reason: a script writes nothing in a shard of another layout; a plain command would.
local cursor = KEYS[1]
local entry = ARGV[1]

redis.call('SET', cursor, entry)
