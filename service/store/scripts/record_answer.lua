-- Records the answer to a request, unless an answer is already recorded.
-- Run by Answers.record in service/store/answers.py.
--
-- KEYS
--   claim
-- ARGV
--   body     the fingerprint of the request's body
--   answer   the answer
--   ttl      how long the answer is remembered, in ms
-- Returns the recorded answer, or the caller's own answer if the claim belongs to a request with a different body.
--
-- Reason: two identical requests at the same moment must get the same answer.
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
