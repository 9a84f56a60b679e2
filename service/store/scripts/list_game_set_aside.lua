-- needs damage.lua
--
-- Lists a game that is set aside, unless the game is already listed for the same reason.
-- Run by GamesSetAside.note in service/store/set_aside.py.
--
-- KEYS
--   aside
-- ARGV
--   since   when the game was set aside (ms since the epoch)
--   game    the game's id and the reason
-- Returns how many games were added.
--
-- Reason: if the key has an unexpected type, it can be deleted, because each game is listed again the next time it
-- fails.
local aside = KEYS[1]
local since, game = unpack(ARGV)

if is_damaged(aside, 'zset') then
  redis.call('DEL', aside)
end
return redis.call('ZADD', aside, 'NX', since, game)
