"""Answers: what has come of requests with an Idempotency-Key, so that a repetition gets the first answer again.

A request is claimed before it is carried out, and its answer is recorded afterwards. A process may die in between, so
an effect in the same shard leaves a mark in the claim, in the instant of the effect (`MARKS`): a repetition finds it
and does nothing twice. Everything here is forgotten after `KEPT`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from .connection import Server, script

KEPT = 48 * 3_600_000
"""Milliseconds for which a request is remembered."""

MARKS = """
-- A claim may be missing: the request has no key, or was refused and its claim released.
local function mark(claim, name)
  return claim and redis.call('HGET', claim, name)
end
local function set_mark(claim, name, value)
  if claim and redis.call('EXISTS', claim) == 1 then
    redis.call('HSET', claim, name, value)
  end
end
"""
"""Lua for scripts with an effect that a repeated request must not have again; `claim` is the claim's key, or nil."""

CLAIM = script("""
-- Claims a request, unless it was claimed before.
--
-- KEYS  1 the claim
-- ARGV  1 the fingerprint of the body, 2 a name for this attempt, 3 for how many ms it is remembered, 4... further
--       fields, each before its value
-- gives nothing if it is claimed now, or was by an earlier sending of this very attempt; else all fields of the claim,
--       each before its value
--
-- Reason: of two identical requests at one moment, one must be the first.
local held = redis.call('HGETALL', KEYS[1])
if #held > 0 then
  if redis.call('HGET', KEYS[1], 'attempt') == ARGV[2] then
    return {}
  end
  return held
end
redis.call('HSET', KEYS[1], 'body', ARGV[1], 'attempt', ARGV[2], unpack(ARGV, 4))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {}
""")

READ = """
-- Reads a claim.
--
-- KEYS  1 the claim
-- gives all its fields, each before its value
--
-- Reason: a client for a cluster gives the answer to HGETALL itself another shape.
return redis.call('HGETALL', KEYS[1])
"""

RECORD = script("""
-- Records the answer to a request, unless one was recorded before.
--
-- KEYS  1 the claim
-- ARGV  1 the fingerprint of the body, 2 the answer, 3 for how many ms it is remembered
-- gives the answer that is recorded
--
-- Reason: of two identical requests at one moment, both must get the same answer.
local body, answer = unpack(redis.call('HMGET', KEYS[1], 'body', 'answer'))
if body and body ~= ARGV[1] then
  return ARGV[2]
end
if answer then
  return answer
end
redis.call('HSET', KEYS[1], 'body', ARGV[1], 'answer', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return ARGV[2]
""")

RELEASE = script("""
-- Forgets a request that was refused.
--
-- KEYS  1 the claim
-- ARGV  1 the fingerprint of the body
-- gives the answer if an identical request was answered meanwhile, else nothing
--
-- Reason: what another attempt has recorded must not be forgotten.
local body, answer = unpack(redis.call('HMGET', KEYS[1], 'body', 'answer'))
if body == ARGV[1] and not answer then
  redis.call('DEL', KEYS[1])
end
return body == ARGV[1] and answer
""")


class Claimed(NamedTuple):
    """A claim: whether it was `made` just now, and else what earlier attempts have left in it.

    `fields` holds `body` (a fingerprint), `answer` if one is recorded, and marks of effects.
    """

    made: bool
    fields: Mapping[str, bytes]


class Answers:
    """The requests that are remembered."""

    def __init__(self, server: Server) -> None:
        """Take the server that remembers them."""
        self._server = server

    def claim(self, place: str, body: str, more: Mapping[str, str]) -> Claimed:
        """Claim a request by the key of its claim and the fingerprint of its body; one round trip.

        `more` are fields to be kept with it. Raises: StoreUnavailable.
        """
        fields = [part for pair in more.items() for part in pair]
        held = _fields(self._server.run(CLAIM, [place], [body, secrets.token_bytes(8), KEPT, *fields]))
        return Claimed(not held, held)

    def read(self, place: str) -> Mapping[str, bytes]:
        """Return the fields of a claim, none where there is no such claim; one round trip. Raises: StoreUnavailable."""
        return _fields(self._server.ask("EVAL", READ, 1, place))

    def record(self, place: str, body: str, answer: bytes) -> bytes:
        """Record an answer, and return the one that counts: the first. One round trip. Raises: StoreUnavailable."""
        recorded: bytes = self._server.run(RECORD, [place], [body, answer, KEPT])
        return recorded

    def release(self, place: str, body: str) -> bytes | None:
        """Forget a request that was refused; one round trip.

        Returns the answer, and forgets nothing, where an identical request was answered meanwhile.
        Raises: StoreUnavailable.
        """
        answer: bytes | None = self._server.run(RELEASE, [place], [body])
        return answer


def _fields(flat: list[Any]) -> dict[str, bytes]:
    members = iter(flat)
    return {name.decode(): value for name, value in zip(members, members, strict=True)}
