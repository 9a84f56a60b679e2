-- Shared: the time according to the server's clock. Scripts may read this clock, because the server replicates a
-- script's effects, not the script.

-- Returns the time in ms since the epoch.
local function server_time()
  local clock = redis.call('TIME')
  return clock[1] * 1000 + math.floor(clock[2] / 1000)
end

-- Returns a time as text. Lua's default conversion would write such a large number with an exponent.
local function in_full(time)
  return string.format('%.0f', time)
end
