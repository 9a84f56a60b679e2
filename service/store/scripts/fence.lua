-- Shared: refuses to do anything in a shard whose layout is not that of the process that asks.
-- It begins every script. The last of KEYS is the shard's number, the last of ARGV the one that it must be; both are
-- taken away, so the script that follows never sees them.
-- Fails with LAYOUT, the number that it must be, the shard's key, and what this holds: nothing if there is no key.
--
-- Reason: a process of another version, or one from before a migration, would write what nobody can read.
local layout, wanted = table.remove(KEYS), table.remove(ARGV)
local number = redis.call('GET', layout)
if number ~= wanted then
  return redis.error_reply('LAYOUT ' .. wanted .. ' ' .. layout .. ' ' .. (number or ''))
end
