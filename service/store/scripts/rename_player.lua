-- Gives a player another name, and adds the previous name to the player's earlier names.
-- Run by Directory.rename in service/store/directory.py.
--
-- KEYS
--   player
-- ARGV
--   name      the new name
--   channel   the channel for wake-ups
--   renamed   the message to publish there
-- Returns 1, or 0 if the player does not exist or was deleted.
--
-- Reason: if the player is renamed twice at the same time, no name may be missing from the earlier names, because these
-- names are freed when the player is deleted. A deleted player must not get a name.
local player = KEYS[1]
local name, channel, renamed = unpack(ARGV)

local function is_same(one, other)
  return string.lower(one) == string.lower(other)
end

local before = redis.call('HGET', player, 'name')
if not before then
  return 0
end
local readable, stored = pcall(cjson.decode, redis.call('HGET', player, 'earlier') or '[]')
local earlier = {}
for _, one in ipairs(readable and type(stored) == 'table' and stored or {}) do
  if type(one) == 'string' and not is_same(one, name) and not is_same(one, before) then
    table.insert(earlier, one)
  end
end
if not is_same(before, name) then
  table.insert(earlier, before)
end
redis.call('HSET', player, 'name', name)
if #earlier > 0 then
  redis.call('HSET', player, 'earlier', cjson.encode(earlier))
else
  redis.call('HDEL', player, 'earlier')
end
redis.call('PUBLISH', channel, renamed)
return 1
