-- Replaces a field of a hash, if the field still holds the value that the caller has read.
-- Run by Sealing in service/store/sealing.py.
--
-- KEYS
--   hash
-- ARGV
--   field    the field
--   before   the value that was read
--   after    the value to write
-- Returns 1 if this attempt or an earlier attempt wrote the new value, 0 if the field has changed.
--
-- Reason: a secret that is replaced at the same time must not come back.
local hash = KEYS[1]
local field, before, after = unpack(ARGV)

local stored = redis.call('HGET', hash, field)
if stored == after then
  return 1
end
if stored ~= before then
  return 0
end
redis.call('HSET', hash, field, after)
return 1
