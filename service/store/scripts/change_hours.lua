-- needs marks.lua
--
-- Writes a player's hours, if they are still the hours that the caller has read.
-- Run by Players.change_hours in service/store/players.py.
--
-- KEYS
--   player
--   claim    the claim of the request, if it has an Idempotency-Key
-- ARGV
--   before   the hours that were read, or '' if there were none
--   after    the hours to write
-- Returns 1 if this attempt or an earlier attempt wrote the hours, 0 if they have changed, -1 if the player does not
-- exist.
--
-- Reason: a vacation must be spent only once, even if two requests begin it at the same time.
local player, claim = KEYS[1], KEYS[2]
local before, after = unpack(ARGV)

if redis.call('EXISTS', player) == 0 then
  return -1
end
local hours = redis.call('HGET', player, 'hours') or ''
if mark(claim, 'changed') then
  return 1
end
if hours ~= before and hours ~= after then
  return 0
end
redis.call('HSET', player, 'hours', after)
set_mark(claim, 'changed', '1')
return 1
