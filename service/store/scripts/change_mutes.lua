-- Writes which spectators of a game are muted.
-- Run by Talk.mute in service/store/talk.py.
--
-- KEYS
--   mutes
-- ARGV
--   text   the mutes, JSON
-- Returns nothing.
--
-- Reason: unlike a plain command, a script does not write to a shard of another layout.
local mutes = KEYS[1]
local text = ARGV[1]

redis.call('SET', mutes, text)
