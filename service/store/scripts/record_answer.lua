-- Records the response to a request, unless a response is already recorded.
-- Run by Answers.record in service/store/answers.py.
--
-- KEYS
--   claim
-- ARGV
--   body     the fingerprint of the request's body
--   answer   the response
--   ttl      how long the response is remembered, in ms
-- Returns the recorded response, or the caller's own response if the claim belongs to a request with a different body.
--
-- Reason: two identical concurrent requests must get the same response.
local claim = KEYS[1]
local body, answer, ttl = unpack(ARGV)

local claimed_body, recorded = unpack(redis.call('HMGET', claim, 'body', 'answer'))
if claimed_body and claimed_body ~= body then
  return answer
end
if recorded then
  return recorded
end
redis.call('HSET', claim, 'body', body, 'answer', answer)
redis.call('PEXPIRE', claim, ttl)
return answer
