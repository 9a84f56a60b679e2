"""Answers: what has come of requests with an Idempotency-Key, so that a repetition gets the first answer again.

A request is claimed before it is carried out, and its answer is recorded afterwards. A process may die in between, so
an effect in the same shard leaves a mark in the claim, at the instant of the effect (`scripts/marks.lua`): a repetition
finds it and does nothing twice. Everything here is forgotten after `KEPT`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from .connection import Server
from .hashes import read_hash
from .lua import script

KEPT = 48 * 3_600_000
"""Milliseconds for which a request is remembered."""

CLAIM = script("claim_request")
RECORD = script("record_answer")
RELEASE = script("release_request")


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
        attempt = secrets.token_bytes(8)
        held = _fields(self._server.run(CLAIM, [place], [body, attempt, KEPT, *fields]))
        return Claimed(not held, held)

    def read(self, place: str) -> Mapping[str, bytes]:
        """Return the fields of a claim, none where there is no such claim; one round trip. Raises: StoreUnavailable."""
        return _fields(self._server.ask(*read_hash(place)))

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
