-- Reads the entries of an outbox after its cursor.
-- Run by Outbox.read in service/store/outbox.py.
--
-- KEYS
--   outbox, outbox_read
-- ARGV
--   limit   the maximum number of entries
-- Returns entries in the same form as XRANGE.
--
-- Reason: the cursor is read together with the outbox, so one round trip is enough for all shards. A cursor that cannot
-- be read is ignored: planning the same deliveries again has no effect.
local outbox, outbox_read = unpack(KEYS)
local limit = ARGV[1]

local read = redis.pcall('GET', outbox_read)
read = type(read) == 'string' and string.match(read, '^%d+%-%d+$')
return redis.call('XRANGE', outbox, read and '(' .. read or '-', '+', 'COUNT', limit)
