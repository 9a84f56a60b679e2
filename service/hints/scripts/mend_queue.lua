-- needs mend.lua
--
-- Deletes keys of RQ that hold a value of the wrong type.
-- Run by mend in service/hints/queue.py.
--
-- KEYS
--   keys...    the keys
-- ARGV
--   kinds...   the type that each should have
-- Returns the keys that it deleted.
--
-- Reason: while such a key exists, no worker can take a job. The deleted data are never the only copy.
local keys, kinds = KEYS, ARGV

local mended = {}
for number, key in ipairs(keys) do
  if mend(key, kinds[number]) then
    table.insert(mended, key)
  end
end
return mended
