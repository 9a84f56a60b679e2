-- Records that a shard has messages to a player, or notices about the player's invitations.
-- Run by note_shard in service/store/feed_shards.py.
--
-- KEYS
--   shards
-- ARGV
--   shard   the number of the shard
-- Returns nothing.
--
-- Reason: unlike a plain command, a script does not write to a shard of another layout.
local shards = KEYS[1]
local shard = ARGV[1]

redis.call('SADD', shards, shard)
