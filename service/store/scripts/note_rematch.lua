-- needs damage.lua
--
-- Records a rematch of a game.
-- Run by Tables.note_rematch in service/store/tables.py.
--
-- KEYS
--   beside
-- ARGV
--   number    the number of the rematch, from 1
--   rematch   the id of the game
-- Returns 1, or 0 if a later rematch is recorded.
-- Fails with WRONGTYPE and the name of the key if it holds unexpected data.
--
-- Reason: a delayed request must not replace a later rematch.
local beside = KEYS[1]
local number, rematch = tonumber(ARGV[1]), ARGV[2]

local damage = damage_among({{beside, 'hash'}})
if damage then
  return damage
end
if (tonumber(redis.call('HGET', beside, 'rematches')) or 0) > number then
  return 0
end
redis.call('HSET', beside, 'rematches', number, 'rematch', rematch)
return 1
