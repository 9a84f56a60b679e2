-- Shared: refuses to run a script in a shard whose layout differs from that of the calling process. Every script begins
-- with this file. The last of KEYS is the key of the shard's layout number, and the last of ARGV is the number that the
-- key must hold. The file removes both, so the script that follows never sees them.
-- Fails with LAYOUT, the number that the key must hold, the key, and the key's value, which is empty if the key does
-- not exist.
--
-- Reason: a process of another version, or a process from before a migration, would write data that this version cannot
-- read.
local layout, wanted = table.remove(KEYS), table.remove(ARGV)
local number = redis.call('GET', layout)
if number ~= wanted then
  return redis.error_reply('LAYOUT ' .. wanted .. ' ' .. layout .. ' ' .. (number or ''))
end
