-- Shared: deletes keys that hold a wrong type, so that no script fails for ever.
-- Nothing on the queue server is the only copy.

-- Returns whether it deleted the key.
local function mend(key, kind)
  local found = redis.call('TYPE', key).ok
  local damaged = found ~= 'none' and found ~= kind
  if damaged then
    redis.call('DEL', key)
  end
  return damaged
end

local function mend_line(line, places)
  mend(line, 'zset')
  mend(places, 'hash')
end
