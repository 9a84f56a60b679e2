-- needs commands.lua
--
-- Applies one batch of a shard's migration, if the shard is still in the state that the caller has read.
-- Run by _apply in service/store/migration.py.
--
-- KEYS
--   layout
--   command_key...   the key of each command
-- ARGV
--   before           the value that the layout's key must hold
--   after            the value to write to this key
--   command...       for each command its name, how many arguments follow its key, and these arguments
-- Returns 1 if it applied the batch, 0 if the state of the shard has changed.
--
-- Reason: if a migration is interrupted, the recorded state must agree with the completed work. If two processes
-- migrate at the same time, only one of them may apply a batch. The state is written last, so a batch that failed
-- half-way is applied again.
local layout = KEYS[1]
local first_command_key = 2
local before, after = ARGV[1], ARGV[2]
local first_command = 3

if redis.call('GET', layout) ~= before then
  return 0
end
apply_commands(first_command_key, first_command)
redis.call('SET', layout, after)
return 1
