-- Shared: refuses to run a script in a shard whose layout is not that of the calling process.
-- It begins every script. The last of KEYS is the key of the shard's layout number, the last of ARGV the number that it
-- must hold; both are removed, so the script that follows never sees them.
-- Fails with LAYOUT, the number that the key must hold, the key, and what it holds: nothing if it does not exist.
--
-- Reason: a process of another version, or one from before a migration, would write data that this version cannot read.
local layout, wanted = table.remove(KEYS), table.remove(ARGV)
local number = redis.call('GET', layout)
if number ~= wanted then
  return redis.error_reply('LAYOUT ' .. wanted .. ' ' .. layout .. ' ' .. (number or ''))
end
