-- needs damage.lua
--
-- Reads a player's counts, and the shard's appends since the entry that the caller has seen.
-- Run by Indexes.read_counts in service/store/indexes.py.
--
-- KEYS
--   outbox, record
-- ARGV
--   last    the last entry of the outbox that the caller has seen, or '' if there was none
--   limit   how many entries to read at most
-- Returns {last, counts, appends}: the last entry now; all fields of the counts, each followed by its value; and for
-- each later entry, the game and the number of the commit. Returns 0 if the outbox no longer contains the entry, or has
-- `limit` or more later entries.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: the counts are sums over all games of the shard, so an append to any game may change them between two reads.
local outbox, record = unpack(KEYS)
local last, limit = ARGV[1], tonumber(ARGV[2])

local damage = damage_among({{outbox, 'stream'}, {record, 'hash'}})
if damage then
  return damage
end
if last ~= '' and #redis.call('XRANGE', outbox, last, last) == 0 then
  return 0
end
local entries = redis.call('XRANGE', outbox, last ~= '' and '(' .. last or '-', '+', 'COUNT', limit)
if #entries == limit then
  return 0
end
local now, appends = last, {}
for _, entry in ipairs(entries) do
  local name, fields = unpack(entry)
  local values = {}
  for at = 1, #fields, 2 do
    values[fields[at]] = fields[at + 1]
  end
  now = name
  appends[#appends + 1] = values['game'] or ''
  appends[#appends + 1] = values['seq'] or ''
end
return {now, redis.call('HGETALL', record), appends}
