-- Shared: marks in the claim of a request with an Idempotency-Key. The marks prevent a repeated request from having a
-- second effect. `claim` is nil if the request has no key. The claim itself is missing if the request was refused.

local function mark(claim, name)
  return claim and redis.call('HGET', claim, name)
end

local function set_mark(claim, name, value)
  if claim and redis.call('EXISTS', claim) == 1 then
    redis.call('HSET', claim, name, value)
  end
end
