-- Moves the cursor of an outbox back if the cursor is past the outbox's last entry.
-- Run by Outbox.mend in service/store/outbox.py.
--
-- KEYS
--   outbox, outbox_read
-- Returns 1 if it moved the cursor back, 0 if this was not necessary.
--
-- Reason: if an outbox is lost, and the server's clock is set back before the outbox begins again, the ids of its new
-- entries are below the cursor. The entries would then not be read for a long time.
local outbox, outbox_read = unpack(KEYS)

local read = redis.pcall('GET', outbox_read)
read = type(read) == 'string' and string.match(read, '^%d+%-%d+$')
local last = redis.call('XREVRANGE', outbox, '+', '-', 'COUNT', 1)[1]
if not read or not last then
  return 0
end
local function parts(id)
  local ms, number = string.match(id, '^(%d+)%-(%d+)$')
  return tonumber(ms) or 0, tonumber(number) or 0
end
local ms, number = parts(read)
local last_ms, last_number = parts(last[1])
if ms < last_ms or (ms == last_ms and number <= last_number) then
  return 0
end
redis.call('SET', outbox_read, last[1])
return 1
