-- Removes everything about a player except the times of registration and deletion.
-- Run by Players.delete in service/store/players.py.
--
-- KEYS
--   player
-- ARGV
--   deleted   the time (ms since the epoch)
--   channel   the channel for wake-ups
--   renamed   the message to publish there
-- Returns 1.
--
-- Reason: no token may stay valid after the name is removed. The hash stays, because games name the player by id.
local player = KEYS[1]
local deleted, channel, renamed = unpack(ARGV)

if redis.call('HEXISTS', player, 'name') == 0 then
  return 1
end
for _, name in ipairs(redis.call('HKEYS', player)) do
  if name ~= 'registered' then
    redis.call('HDEL', player, name)
  end
end
redis.call('HSET', player, 'deleted', deleted)
redis.call('PUBLISH', channel, renamed)
return 1
