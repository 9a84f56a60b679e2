-- needs damage.lua
--
-- Records an act of the host in the audit log, together with writes to the first shard that belong to it.
-- Run by Audit.record in service/store/audit.py.
--
-- KEYS
--   audit
--   command_key...   the key of each command
-- ARGV
--   act          the id of the act
--   line         what the audit log says about it
--   look_back    how many lines an earlier attempt of the same act may be back
--   command...   of each command its name, how many arguments follow its key, and these arguments
-- Returns the id of the line in the audit log.
-- Fails with WRONGTYPE and the name of a key that does not hold what it should.
--
-- Reason: no act may take effect without its line. The line is written first, because a server that is out of memory
-- refuses only the first write of a script.
local audit = KEYS[1]
local first_command_key = 2
local act, line, look_back = ARGV[1], ARGV[2], ARGV[3]
local first_command = 4

local damage = damage_among({{audit, 'stream'}})
if damage then
  return damage
end
local kinds = {HSET = 'hash', HDEL = 'hash', SET = 'string'}
local at = first_command
for number = first_command_key, #KEYS do
  if is_damaged(KEYS[number], kinds[ARGV[at]]) then
    return damage_at(KEYS[number])
  end
  at = at + 2 + tonumber(ARGV[at + 1])
end
for _, entry in ipairs(redis.call('XREVRANGE', audit, '+', '-', 'COUNT', look_back)) do
  if entry[2][2] == act then
    return entry[1]
  end
end

local entry = redis.call('XADD', audit, '*', 'act', act, 'line', line)
at = first_command
for number = first_command_key, #KEYS do
  local name, arguments = ARGV[at], tonumber(ARGV[at + 1])
  redis.call(name, KEYS[number], unpack(ARGV, at + 2, at + 1 + arguments))
  at = at + 2 + arguments
end
return entry
