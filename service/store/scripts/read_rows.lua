-- needs clock.lua, damage.lua
--
-- Reads rows of indexes, together with the end of the log that they follow from.
-- Run by Indexes.read in service/store/indexes.py.
--
-- KEYS
--   log
--   index_key...   the index of each row
-- ARGV
--   length         how many commits of the log the caller knows
--   row...         for each row the kind of its index (hash, zset or list) and its member; for a list the member is
--                  the game whose rows to return, followed by a space
-- Returns {commits, time, row...}: the later commits of the log, or 0 if the log has fewer commits than the caller
-- knows; the time (ms since the epoch); and each row. A row is its value, an empty string if the row does not exist, or
-- 0 if its index holds unexpected data. For a list, the script returns all rows of the game.
--
-- Reason: an append between two reads would make correct rows look wrong.
local log = KEYS[1]
local first_index_key = 2
local length = tonumber(ARGV[1])
local first_row = 2

local commits = redis.call('LLEN', log) >= length and redis.call('LRANGE', log, length, -1) or 0
local found = {commits, server_time()}
local function read(index, kind, member)
  if is_damaged(index, kind) then
    return 0
  elseif kind == 'hash' then
    return redis.call('HGET', index, member) or ''
  elseif kind == 'zset' then
    return redis.call('ZSCORE', index, member) or ''
  end
  local wanted = {}
  for _, row in ipairs(redis.call('LRANGE', index, 0, -1)) do
    if string.sub(row .. ' ', 1, #member) == member then
      wanted[#wanted + 1] = row
    end
  end
  return wanted
end
local at = first_row
for number = first_index_key, #KEYS do
  found[#found + 1] = read(KEYS[number], ARGV[at], ARGV[at + 1])
  at = at + 2
end
return found
