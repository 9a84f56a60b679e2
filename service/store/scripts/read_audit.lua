-- Reads lines of the audit log, newest first.
-- Run by Audit.page in service/store/audit.py.
--
-- KEYS
--   audit
-- ARGV
--   last    '+' to begin with the newest line, or '(' and the id of a line to begin with the line before it
--   count   the maximum number of lines to read
-- Returns {id, fields} for each line.
--
-- Reason: in a cluster, redis-py changes the reply to XREVRANGE, but leaves the reply of a script as it is.
local audit = KEYS[1]
local last, count = unpack(ARGV)

return redis.call('XREVRANGE', audit, last, '-', 'COUNT', count)
