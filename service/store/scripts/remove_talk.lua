-- Removes the texts of messages.
-- Run by Talk.remove in service/store/talk.py.
--
-- KEYS
--   talk
-- ARGV
--   messages...   for each message its id, the message that the caller has read, and the message without its text
-- Returns how many of these messages now have no text.
--
-- Reason: unlike plain commands, a script writes nothing while the shard is read-only. A message is changed only if it
-- is still as the caller has read it, so that a removed text cannot come back.
local talk = KEYS[1]
local messages = ARGV

local removed = 0
for number = 1, #messages, 3 do
  local stored = redis.call('HGET', talk, messages[number])
  if stored == messages[number + 1] then
    redis.call('HSET', talk, messages[number], messages[number + 2])
    removed = removed + 1
  elseif stored == messages[number + 2] then
    removed = removed + 1
  end
end
return removed
