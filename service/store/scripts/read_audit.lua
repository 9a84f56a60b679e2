-- Reads lines of the audit log, newest first.
-- Run by Audit.page in service/store/audit.py.
--
-- KEYS
--   audit
-- ARGV
--   last    '+' for the newest line, or '(' and the id of the line after the first one to read
--   count   how many lines to read at most
-- Returns {id, fields} for each line.
--
-- Reason: in a cluster, redis-py changes the answer to XREVRANGE, but leaves the answer of a script as it is.
local audit = KEYS[1]
local last, count = unpack(ARGV)

return redis.call('XREVRANGE', audit, last, '-', 'COUNT', count)
