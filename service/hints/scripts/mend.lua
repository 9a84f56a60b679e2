-- Shared: deletes keys that hold a value of the wrong type, so that no script fails for ever. What such a key held can be
-- rebuilt from the logs, or is only counted again.

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
