-- Makes a player block another player, or ends the block.
-- Run by Blocks in service/store/blocks.py.
--
-- KEYS
--   blocks
-- ARGV
--   player   the player who is blocked
--   at       since when (ms since the epoch), or '' to end it
--   limit    how many players a player may block
-- Returns 1, or 0 if the player has blocked too many players.
--
-- Reason: concurrent requests must not exceed the limit together. If a player blocks somebody twice, the time of the
-- first block stays.
local blocks = KEYS[1]
local player, at, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])

if at == '' then
  redis.call('HDEL', blocks, player)
  return 1
end
if redis.call('HEXISTS', blocks, player) == 0 then
  if redis.call('HLEN', blocks) >= limit then
    return 0
  end
  redis.call('HSET', blocks, player, at)
end
return 1
