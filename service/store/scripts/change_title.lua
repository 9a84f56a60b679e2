-- needs damage.lua
--
-- Changes or removes a game's title.
-- Run by Tables.change_title in service/store/tables.py.
--
-- KEYS
--   log, beside
-- ARGV
--   title   the new title, or '' to remove the title
-- Returns 1, or 0 if there is no such game.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: the title of a game that does not exist would stay in the store forever.
local log, beside = KEYS[1], KEYS[2]
local title = ARGV[1]

local damage = damage_among({{log, 'list'}, {beside, 'hash'}})
if damage then
  return damage
end
if redis.call('EXISTS', log) == 0 then
  return 0
end
if title == '' then
  redis.call('HDEL', beside, 'title')
else
  redis.call('HSET', beside, 'title', title)
end
return 1
