"""Stored responses to requests with an Idempotency-Key: a repeated request gets the original response.

Before the service carries out a request, it writes a claim. After carrying out the request, the service records the
response in the claim. A process may die after it has changed data but before it records the response. A script that
changes data in the claim's shard therefore also sets a field in the claim, called a mark (`scripts/marks.lua`). If the
request is repeated, the script finds the mark and leaves the data alone. Claims expire after `RETENTION`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from .connection import Server
from .hashes import read_hash
from .lua import script

RETENTION = 48 * 3_600_000
"""The time for which a request is remembered, in ms."""

CLAIM = script("claim_request")
RECORD = script("record_answer")
RELEASE = script("release_request")


class Claim(NamedTuple):
    """The record of a request. `is_new` says whether this attempt created the record.

    `fields` maps names to the values that earlier attempts wrote. The names are `body` (whose value is the body's
    fingerprint), `answer` if a response is recorded, and the names of any marks.
    """

    is_new: bool
    fields: Mapping[str, bytes]


class Answers:
    """All remembered requests."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def claim(self, place: str, body: str, extra: Mapping[str, str]) -> Claim:
        """Write a request's claim. Takes one round trip.

        `place` is the claim's key, and `body` is the fingerprint of the request's body. `extra` contains additional
        fields of the claim.

        Raises: StoreUnavailable.
        """
        pairs = [part for pair in extra.items() for part in pair]
        attempt = secrets.token_bytes(8)
        fields = _fields(self._server.run(CLAIM, [place], [body, attempt, RETENTION, *pairs]))
        return Claim(not fields, fields)

    def read(self, place: str) -> Mapping[str, bytes]:
        """Return the fields of a claim, or {} if there is no such claim. Takes one round trip.

        Raises: StoreUnavailable.
        """
        return _fields(self._server.ask(*read_hash(place)))

    def record(self, place: str, body: str, answer: bytes) -> bytes:
        """Record a response, unless one is already recorded. Return the recorded response. Takes one round trip.

        Raises: StoreUnavailable.
        """
        recorded: bytes = self._server.run(RECORD, [place], [body, answer, RETENTION])
        return recorded

    def release(self, place: str, body: str) -> bytes | None:
        """Remove the claim of a request that was refused. Takes one round trip.

        If a response to an identical request was recorded in the meantime, return that response and remove nothing.
        Raises: StoreUnavailable.
        """
        answer: bytes | None = self._server.run(RELEASE, [place], [body])
        return answer


def _fields(flat: list[Any]) -> dict[str, bytes]:
    members = iter(flat)
    return {name.decode(): value for name, value in zip(members, members, strict=True)}
