-- needs clock.lua
--
-- Finds the games of a shard in which a bot or standing orders should have acted some time ago.
-- Run by Due.overdue in service/store/due.py.
--
-- KEYS
--   due
-- ARGV
--   grace   how long ago they should have acted, in ms
-- Returns game, when, game, when ... (ms since the epoch), the game that has waited longest first.
--
-- Reason: the times come from the server's clock, so they must be compared with that clock. A script can read the clock
-- in the same round trip.
local due = KEYS[1]
local grace = tonumber(ARGV[1])

return redis.call('ZRANGEBYSCORE', due, '-inf', in_full(server_time() - grace), 'WITHSCORES')
