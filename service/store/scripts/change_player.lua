-- Writes or removes one field of a player who exists.
-- Run by Directory.suspend in service/store/directory.py.
--
-- KEYS
--   player
-- ARGV
--   field   the field
--   value   its value
--   keeps   '1' to write the value, '' to remove the field
-- Returns 1 if it wrote or removed the field, 0 if the player does not exist or was deleted.
--
-- Reason: the script must not create a player, or give a deleted player a name.
local player = KEYS[1]
local field, value, keeps = unpack(ARGV)

if redis.call('HEXISTS', player, 'name') == 0 then
  return 0
end
if keeps ~= '' then
  redis.call('HSET', player, field, value)
else
  redis.call('HDEL', player, field)
end
return 1
