-- Shared: refuses to run a script that writes while its shard is read-only. This file follows the fence in every script
-- that writes. The last of KEYS is the key that exists while the shard is read-only. The file removes this key from
-- KEYS, so the script that follows never sees it.
-- Fails with CLOSED and that key.
--
-- Reason: once the host has closed the store, no process may write to it, even if the process read the data before the
-- store was closed.
local closed = table.remove(KEYS)
if redis.call('EXISTS', closed) == 1 then
  return redis.error_reply('CLOSED ' .. closed)
end
