-- Corrects the number of the last commit of a game for which deliveries were planned.
-- Run by Deliveries.set_back in service/store/deliveries.py.
--
-- KEYS
--   planned
-- ARGV
--   game     the game's id
--   before   the commit up to which the game was planned when the caller looked
--   upto     the last commit of the log
-- Returns 1 if it corrected the number, 0 if another process has planned the game in the meantime.
--
-- Reason: if a commit counts as planned before it is in the log, it is never delivered.
local planned = KEYS[1]
local game, before, upto = unpack(ARGV)

if redis.call('HGET', planned, game) ~= before then
  return 0
end
redis.call('HSET', planned, game, upto)
return 1
