-- needs damage.lua
--
-- Replaces a player's counts, if they are still the counts that the caller has read.
-- Run by Indexes.mend_counts in service/store/indexes.py.
--
-- KEYS
--   record
-- ARGV
--   before     how many fields the caller has read
--   member...  each field that was read, followed by its value, then each field to write, followed by its value
-- Returns 1 if it replaced the counts, 0 if they have changed.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: every append that counts a move changes the counts. If the counts are unchanged, nothing was counted in the
-- meantime.
local record = KEYS[1]
local before = tonumber(ARGV[1])
local first_member = 2

if is_damaged(record, 'hash') then
  return damage_at(record)
end
local first_written = first_member + 2 * before
if redis.call('HLEN', record) ~= before then
  return 0
end
for at = first_member, first_written - 1, 2 do
  if redis.call('HGET', record, ARGV[at]) ~= ARGV[at + 1] then
    return 0
  end
end
redis.call('DEL', record)
for at = first_written, #ARGV, 2 do
  redis.call('HSET', record, ARGV[at], ARGV[at + 1])
end
return 1
