-- Records the last entry of an outbox that has been read.
-- Run by Outbox.move_cursor in service/store/outbox.py.
--
-- KEYS
--   cursor
-- ARGV
--   entry   the last entry that has been read
-- Returns nothing.
--
-- Reason: unlike a plain command, a script does not write to a shard of another layout.
local cursor = KEYS[1]
local entry = ARGV[1]

redis.call('SET', cursor, entry)
