-- needs damage.lua, commands.lua
--
-- Records an action of the host in the audit log, together with the writes to the first shard that belong to the
-- action.
-- Run by Audit.record in service/store/audit.py.
--
-- KEYS
--   audit
--   command_key...   the key of each command
-- ARGV
--   act          the id of the action
--   line         the contents of its line (JSON)
--   look_back    how many of the last lines may come from an earlier attempt at the same action
--   command...   for each command its name, how many arguments follow its key, and these arguments
-- Returns the id of the line in the audit log.
-- Fails with WRONGTYPE and the name of a key that holds unexpected data.
--
-- Reason: no action may take effect without its line. The line is written first, because a server that is out of memory
-- refuses only the first write of a script.
local audit = KEYS[1]
local first_command_key = 2
local act, line, look_back = ARGV[1], ARGV[2], ARGV[3]
local first_command = 4

local kinds = {HSET = 'hash', HDEL = 'hash', SET = 'string'}
local damage = damage_among({{audit, 'stream'}})
  or damage_among_commands(first_command_key, first_command, kinds)
if damage then
  return damage
end
for _, entry in ipairs(redis.call('XREVRANGE', audit, '+', '-', 'COUNT', look_back)) do
  if entry[2][2] == act then
    return entry[1]
  end
end

local entry = redis.call('XADD', audit, '*', 'act', act, 'line', line)
apply_commands(first_command_key, first_command)
return entry
