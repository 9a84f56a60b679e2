-- Writes which events to send to a player by e-mail and in browsers.
-- Run by Players.change_notices in service/store/players.py.
--
-- KEYS
--   player
-- ARGV
--   notices   the chosen events (JSON)
-- Returns 1 if it wrote them, 0 if the player does not exist.
--
-- Reason: the script must not create a player, or add anything to a deleted player.
local player = KEYS[1]
local notices = ARGV[1]

if redis.call('HEXISTS', player, 'name') == 0 then
  return 0
end
redis.call('HSET', player, 'notices', notices)
return 1
