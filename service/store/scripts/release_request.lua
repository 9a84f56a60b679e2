-- Forgets a request that was refused.
-- Run by Answers.release in service/store/answers.py.
--
-- KEYS
--   claim
-- ARGV
--   body   the fingerprint of the request's body
-- Returns the response if an identical request got one in the meantime, otherwise nothing.
--
-- Reason: a response that another attempt has recorded must not be removed.
local claim = KEYS[1]
local body = ARGV[1]

local claimed_body, recorded = unpack(redis.call('HMGET', claim, 'body', 'answer'))
if claimed_body == body and not recorded then
  redis.call('DEL', claim)
end
return claimed_body == body and recorded
