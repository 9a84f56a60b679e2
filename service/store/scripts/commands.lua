-- Shared: applies the commands in ARGV. ARGV has for each command its name, how many arguments follow its key, and
-- these arguments. The keys of the commands are the last of KEYS, in the same order.

local function apply_commands(first_key, first_command)
  local at = first_command
  for number = first_key, #KEYS do
    local name, arguments = ARGV[at], tonumber(ARGV[at + 1])
    redis.call(name, KEYS[number], unpack(ARGV, at + 2, at + 1 + arguments))
    at = at + 2 + arguments
  end
end
