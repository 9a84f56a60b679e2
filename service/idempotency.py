"""Idempotency: a request that comes again with its Idempotency-Key has no second effect, and gets its first answer.

A key belongs to whoever sends it and to one method and path. Everything that a request with a key makes (an id, a
token, a secret) is derived from the key and the server's secret, so that an attempt that begins again after the death
of a process makes the very same thing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import orjson

from .problems import Problem
from .store import Store
from .store.errors import StoreError
from .store.keys import of_player, of_registration


@dataclass(frozen=True)
class Attempt:
    """One attempt at a request with a key.

    `claim` is the key under which the store remembers the request, `fingerprint` that of its body. `begun` tells that
    an attempt before this one has begun; without an `answer` it may have had its effect, be having it, or have died.
    `marks` are what earlier attempts and their effects have left in the claim.
    """

    claim: str
    fingerprint: str
    begun: bool
    marks: Mapping[str, bytes] = field(repr=False)
    _root: bytes = field(repr=False)

    @property
    def answer(self) -> bytes | None:
        """The answer that was recorded, if one was."""
        return self.marks.get("answer")

    @property
    def key(self) -> str:
        """What a commit has as its key that this request makes; it has a space, so that no move's key can be equal."""
        return f"once {_text(_derive(self._root, 'commit')[:16])}"

    def derived(self, purpose: str) -> bytes:
        """Return 32 bytes that are the same for every attempt at this request, and for no other request or purpose."""
        return hmac.digest(self._root, f"{purpose}\n{self.fingerprint}".encode(), "sha256")


def begin(store: Store, player: str, target: str, key: str, fingerprint: str, **more: str) -> Attempt:
    """Return an attempt at a player's request, and remember that it was made.

    `target` is the request's method and path; `more` is remembered with it. One round trip, and one the first time in a
    process. Raises: Problem (key-reused), StoreUnavailable.
    """
    return _begun(store, *_claim_of(store, player, target, key), fingerprint, more)


def begin_registration(store: Store, key: str, fingerprint: str) -> Attempt:
    """Return an attempt at a registration, for which nobody has a token yet: the key alone says whose it is.

    Raises: as `begin`.
    """
    root = _derive(store.secret.read(), "registration", key)
    return _begun(store, of_registration(_derive(root, "claim")), root, fingerprint, {})


def resume(store: Store, player: str, target: str, key: str, fingerprint: str, **more: str) -> Attempt | None:
    """Return as `begin` does, but None where the request was never made, or not with `more`. Raises: as `begin`."""
    claim, root = _claim_of(store, player, target, key)
    held = store.answers.read(claim)
    if any(held.get(name) != value.encode() for name, value in more.items()):
        return None
    return _resumed(claim, root, fingerprint, held)


def record(store: Store, attempt: Attempt, answer: bytes) -> bytes:
    """Record the answer to a request, and return the one that counts: the first that was recorded."""
    return store.answers.record(attempt.claim, attempt.fingerprint, answer)


def release(store: Store, attempt: Attempt) -> bytes | None:
    """Let the key of a request that was refused be used again, unless an identical request was answered meanwhile.

    Returns that answer, if there is one.
    """
    # A claim that cannot be released is forgotten with time; until then a repetition is carried out again.
    with suppress(StoreError):
        return store.answers.release(attempt.claim, attempt.fingerprint)
    return None


def is_done(attempt: Attempt | None, mark: str) -> bool:
    """Return whether an effect had left its mark when the attempt began; never without a key."""
    return attempt is not None and mark in attempt.marks


def is_done_now(store: Store, attempt: Attempt | None, mark: str) -> bool:
    """Return the same as it is now, also where an identical request runs at this moment; one round trip with a key."""
    return attempt is not None and mark in store.answers.read(attempt.claim)


def claim_of(attempt: Attempt | None) -> str | None:
    """Return the key under which the store remembers a request; None without an Idempotency-Key."""
    return None if attempt is None else attempt.claim


def fingerprint_of(body: Any) -> str:
    """Return what tells two bodies apart that came with one key: 128 bits are enough, and are kept in every commit.

    >>> fingerprint_of({"a": 1, "b": 2}) == fingerprint_of({"b": 2, "a": 1})
    True
    """
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


def key_reused(**members: Any) -> Problem:
    """Return the problem of a key that came with another body before."""
    return Problem(
        "key-reused", "you already used this Idempotency-Key with a different body: use a new key", **members
    )


def _claim_of(store: Store, player: str, target: str, key: str) -> tuple[str, bytes]:
    root = _derive(store.secret.read(), "request", player, target, key)
    return of_player(player, f"answer:{_text(_derive(root, 'claim')[:16])}"), root


def _begun(store: Store, claim: str, root: bytes, fingerprint: str, more: Mapping[str, str]) -> Attempt:
    claimed = store.answers.claim(claim, fingerprint, more)
    if claimed.made:
        return Attempt(claim, fingerprint, begun=False, marks={}, _root=root)
    return _resumed(claim, root, fingerprint, claimed.fields)


def _resumed(claim: str, root: bytes, fingerprint: str, held: Mapping[str, bytes]) -> Attempt:
    if held["body"] != fingerprint.encode():
        raise key_reused()
    return Attempt(claim, fingerprint, begun=True, marks=held, _root=root)


def _derive(secret: bytes, *parts: str) -> bytes:
    """Return 32 bytes that follow from a secret and some words, none of which has a line end."""
    return hmac.digest(secret, "\n".join(parts).encode(), "sha256")


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
