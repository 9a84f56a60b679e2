-- Reads when each part of the service last recorded its presence, and the outages that have ended.
-- Run by ask_presence in service/store/presence.py.
--
-- KEYS
--   presence, outages
--   closed   the key that exists while the store is read-only
-- ARGV
--   limit   how many of the last outages to read
-- Returns {part, when, part, when ...}, {outage, outage ...}, each outage as its first and its last ms, and 1 if the
-- store is read-only, otherwise 0.
--
-- Reason: if an outage ended between two separate reads, neither of them might show it. A damaged key counts as empty
-- until a part next records its presence.
local presence, outages, closed = unpack(KEYS)
local limit = tonumber(ARGV[1])

local function read(kind, key, ...)
  local found = redis.call('TYPE', key).ok
  return found == kind and redis.call(...) or {}
end

return {
  read('hash', presence, 'HGETALL', presence),
  read('list', outages, 'LRANGE', outages, -limit, -1),
  redis.call('EXISTS', closed),
}
