-- needs damage.lua
--
-- Replaces the link of a private game.
-- Run by Tables.replace_link in service/store/tables.py.
--
-- KEYS
--   log, beside
-- ARGV
--   link   the text from which the new link's secret is derived
-- Returns 1, or 0 if there is no such game.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: the link of a game that does not exist would stay in the store forever.
local log, beside = KEYS[1], KEYS[2]
local link = ARGV[1]

local damage = damage_among({{log, 'list'}, {beside, 'hash'}})
if damage then
  return damage
end
if redis.call('EXISTS', log) == 0 then
  return 0
end
redis.call('HSET', beside, 'link', link)
return 1
