-- Removes everybody whom a player has blocked.
-- Run by Blocks.forget in service/store/blocks.py.
--
-- KEYS
--   blocks
-- Returns nothing.
--
-- Reason: unlike a plain command, a script writes nothing in a shard of another layout.
local blocks = KEYS[1]

redis.call('DEL', blocks)
