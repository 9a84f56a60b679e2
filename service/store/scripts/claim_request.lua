-- Claims a request, unless it was claimed before.
-- Run by Answers.claim in service/store/answers.py.
--
-- KEYS
--   claim
-- ARGV
--   body      the fingerprint of the request's body
--   attempt   a name for this attempt
--   ttl       how long the claim is remembered, in ms
--   fields... further fields, each followed by its value
-- Returns nothing if this attempt claimed the request, now or in an earlier run of this script. Otherwise returns all
-- fields of the claim, each followed by its value.
--
-- Reason: if two identical requests arrive at the same time, only one of them may be the first.
local claim = KEYS[1]
local body, attempt, ttl = ARGV[1], ARGV[2], ARGV[3]
local fields = {unpack(ARGV, 4)}

local held = redis.call('HGETALL', claim)
if #held > 0 then
  if redis.call('HGET', claim, 'attempt') == attempt then
    return {}
  end
  return held
end
redis.call('HSET', claim, 'body', body, 'attempt', attempt, unpack(fields))
redis.call('PEXPIRE', claim, ttl)
return {}
