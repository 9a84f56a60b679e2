-- Shared: finds keys that hold a value of the wrong type. A key that does not exist is not damaged.

local function is_damaged(key, kind)
  local found = redis.call('TYPE', key).ok
  return found ~= 'none' and found ~= kind
end

-- Returns the error with which a script fails at a damaged key.
local function damage_at(key)
  return redis.error_reply('WRONGTYPE ' .. key)
end

-- Returns the error for the first damaged key in a list of {key, kind}, or nil if no key is damaged.
local function damage_among(kinds)
  for _, pair in ipairs(kinds) do
    local key, kind = unpack(pair)
    if is_damaged(key, kind) then
      return damage_at(key)
    end
  end
end

-- Returns the error for the first damaged key of the commands that `apply_commands` would apply, or nil if no key is
-- damaged. `kinds` has the type that each command writes.
local function damage_among_commands(first_key, first_command, kinds)
  local at = first_command
  for number = first_key, #KEYS do
    if is_damaged(KEYS[number], kinds[ARGV[at]]) then
      return damage_at(KEYS[number])
    end
    at = at + 2 + tonumber(ARGV[at + 1])
  end
end
