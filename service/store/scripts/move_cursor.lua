-- Records up to which entry an outbox has been read.
-- Run by Outbox.move_cursor in service/store/outbox.py.
--
-- KEYS
--   cursor
-- ARGV
--   entry   the last entry that has been read
-- Returns nothing.
--
-- Reason: unlike a plain command, a script writes nothing in a shard of another layout.
local cursor = KEYS[1]
local entry = ARGV[1]

redis.call('SET', cursor, entry)
