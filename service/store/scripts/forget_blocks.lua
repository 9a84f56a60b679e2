-- Removes all blocks of a player.
-- Run by Blocks.forget in service/store/blocks.py.
--
-- KEYS
--   blocks
-- Returns nothing.
--
-- Reason: unlike a plain command, a script does not write to a shard of another layout.
local blocks = KEYS[1]

redis.call('DEL', blocks)
