-- Adds a join code.
-- Run by Tables.add_code in service/store/tables.py.
--
-- KEYS
--   code
-- ARGV
--   game   the game's id and its link
--   ttl    how long the code is valid, in ms
-- Returns 1.
--
-- Reason: a repetition of the request must not extend the time for which the code is valid.
local code = KEYS[1]
local game, ttl = unpack(ARGV)

redis.call('SET', code, game, 'PX', ttl, 'NX')
return 1
