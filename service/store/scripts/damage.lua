-- Shared: finds keys that hold a wrong type. A key that does not exist is not damaged.

local function is_damaged(key, kind)
  local found = redis.call('TYPE', key).ok
  return found ~= 'none' and found ~= kind
end

-- Returns the error with which a script fails at a damaged key.
local function damage_at(key)
  return redis.error_reply('WRONGTYPE ' .. key)
end

-- Returns that error for the first damaged key in a list of {key, kind}, or nil.
local function damage_among(kinds)
  for _, pair in ipairs(kinds) do
    local key, kind = unpack(pair)
    if is_damaged(key, kind) then
      return damage_at(key)
    end
  end
end
