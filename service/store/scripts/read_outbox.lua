-- Reads the entries of an outbox that follow on its cursor.
-- Run by Outbox.read in service/store/outbox.py.
--
-- KEYS
--   outbox, outbox_read
-- ARGV
--   most   how many entries at most
-- Returns entries as XRANGE does.
--
-- Reason: the cursor is read with the outbox, so one round trip reads those of every shard. A cursor that cannot be
-- read counts as none: planning the same deliveries again does nothing.
local outbox, outbox_read = unpack(KEYS)
local most = ARGV[1]

local read = redis.pcall('GET', outbox_read)
read = type(read) == 'string' and string.match(read, '^%d+%-%d+$')
return redis.call('XRANGE', outbox, read and '(' .. read or '-', '+', 'COUNT', most)
