"""Idempotency: a request that is repeated with its Idempotency-Key has no second effect, and gets the first answer.

A key belongs to one player, and to one method and path. Everything that a request with a key creates (an id, a token, a
secret) is derived from the key, the secret in the store, and the server's current secret key (`store.keyring`). If a
process dies and the request is tried again, the new attempt therefore creates exactly the same values. Nobody can
create these values from a copy of the store. The claim of a request names the secret key with which the request began.
Even after the current secret key has changed, the request can be repeated, as long as the server has the earlier key.
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
from .store.keyring import decrypt, encrypt
from .store.keys import of_player, of_registration

MIXED = "mixed"
"""The field of a claim that names the secret key with which the request began; absent if the server had no key."""


@dataclass(frozen=True)
class Attempt:
    """One attempt at a request with a key.

    `claim` is the key under which the store records the request; `fingerprint` is the hash of the request's body.
    `begun` says whether an earlier attempt has begun. If an earlier attempt has begun but there is no `answer`, that
    attempt may be finished, still running, or dead. `marks` are the fields of the claim that earlier attempts and their
    effects have written.
    """

    claim: str
    fingerprint: str
    begun: bool
    marks: Mapping[str, bytes] = field(repr=False)
    _root: bytes = field(repr=False)
    _secret_root: bytes = field(repr=False)

    @property
    def answer(self) -> bytes | None:
        """The recorded answer, or None if none is recorded."""
        return self.marks.get("answer")

    @property
    def key(self) -> str:
        """The key of this request's commit. The key contains a space, so it differs from the keys of moves."""
        return f"once {_text(_derive(self._root, 'commit')[:16])}"

    def derive(self, purpose: str) -> bytes:
        """Return 32 bytes for a purpose: the same for every attempt at this request, different for other requests."""
        return hmac.digest(self._secret_root, f"{purpose}\n{self.fingerprint}".encode(), "sha256")


def begin(store: Store, player: str, target: str, key: str, fingerprint: str, **extra: str) -> Attempt:
    """Record that a player attempts a request, and return the attempt.

    `target` is the request's method and path; `extra` is stored with it. One round trip, and one more for the first
    request in a process. Raises: Problem (key-reused), StoreUnavailable.
    """
    return _begin(store, *_claim_of(store, player, target, key), fingerprint, extra)


def begin_registration(store: Store, key: str, fingerprint: str) -> Attempt:
    """Return an attempt at a registration. Raises: as `begin`."""
    return begin_without_player(store, "registration", key, fingerprint)


def begin_without_player(store: Store, kind: str, key: str, fingerprint: str) -> Attempt:
    """Return an attempt at a kind of request that has no token; only the key identifies the request.

    Raises: as `begin`.
    """
    root = _derive(store.secret.read(), kind, key)
    return _begin(store, of_registration(_derive(root, "claim")), root, fingerprint, {})


def resume(store: Store, player: str, target: str, key: str, fingerprint: str, **extra: str) -> Attempt | None:
    """Return the result of `begin`, or None if there was no earlier request with this `extra`. Raises: as `begin`."""
    claim, root = _claim_of(store, player, target, key)
    fields = store.answers.read(claim)
    if any(fields.get(name) != value.encode() for name, value in extra.items()):
        return None
    return _resume(store, claim, root, fingerprint, fields)


def hide(attempt: Attempt, answer: bytes) -> str:
    """Return an answer with a secret, encrypted for the record.

    Only a request with the same key can read the answer.
    """
    return base64.b64encode(encrypt(attempt.derive("answer"), answer)).decode()


def reveal(attempt: Attempt, hidden: str) -> bytes:
    """Return an answer that `hide` has hidden. Raises: Unreadable."""
    return decrypt(attempt.derive("answer"), base64.b64decode(hidden))


def record(store: Store, attempt: Attempt, answer: bytes) -> bytes:
    """Record the answer to a request, and return the answer that was recorded first."""
    return store.answers.record(attempt.claim, attempt.fingerprint, answer)


def release(store: Store, attempt: Attempt) -> bytes | None:
    """Release the key of a refused request for another use, unless an identical request was answered in between.

    Returns the answer to the identical request, or None if there is none.
    """
    # A claim that cannot be released expires. Until then, a retry is carried out again.
    with suppress(StoreError):
        return store.answers.release(attempt.claim, attempt.fingerprint)
    return None


def is_done(attempt: Attempt | None, mark: str) -> bool:
    """Return whether an effect was recorded in the claim when the attempt began; False without a key."""
    return attempt is not None and mark in attempt.marks


def is_done_now(store: Store, attempt: Attempt | None, mark: str) -> bool:
    """Return whether an effect is recorded in the claim now, even by an identical request that is still running.

    Without a key, returns False. With a key, the call takes one round trip.
    """
    return attempt is not None and mark in store.answers.read(attempt.claim)


def claim_of(attempt: Attempt | None) -> str | None:
    """Return the key under which the store records a request, or None without an Idempotency-Key."""
    return None if attempt is None else attempt.claim


def fingerprint_of(body: Any) -> str:
    """Return a hash of a body (128 bits). Every commit stores it, to detect a key that is reused with a different body.

    >>> fingerprint_of({"a": 1, "b": 2}) == fingerprint_of({"b": 2, "a": 1})
    True
    """
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


def key_reused(**members: Any) -> Problem:
    """Return the problem for a key that was used before with a different body."""
    return Problem(
        "key-reused", "you already used this Idempotency-Key with a different body: use a new key", **members
    )


def _claim_of(store: Store, player: str, target: str, key: str) -> tuple[str, bytes]:
    root = _derive(store.secret.read(), "request", player, target, key)
    return of_player(player, f"answer:{_text(_derive(root, 'claim')[:16])}"), root


def _begin(store: Store, claim: str, root: bytes, fingerprint: str, extra: Mapping[str, str]) -> Attempt:
    current = store.keyring.current
    result = store.answers.claim(claim, fingerprint, {**extra, MIXED: current} if current else extra)
    if result.is_new:
        return Attempt(claim, fingerprint, begun=False, marks={}, _root=root, _secret_root=_mixed(store, current, root))
    return _resume(store, claim, root, fingerprint, result.fields)


def _resume(store: Store, claim: str, root: bytes, fingerprint: str, fields: Mapping[str, bytes]) -> Attempt:
    if fields["body"] != fingerprint.encode():
        raise key_reused()
    mixed = _mixed(store, fields.get(MIXED, b"").decode(errors="replace"), root)
    return Attempt(claim, fingerprint, begun=True, marks=fields, _root=root, _secret_root=mixed)


def _mixed(store: Store, key_id: str, root: bytes) -> bytes:
    """Return the bytes from which all secret values are derived.

    Raises: Problem (key-reused) if the secret key is missing.
    """
    mixed = store.keyring.mix(key_id, root)
    if mixed is None:
        raise Problem(
            "key-reused",
            "this Idempotency-Key was first used with a secret key that the server no longer has: "
            "use a new Idempotency-Key",
        )
    return mixed


def _derive(secret: bytes, *parts: str) -> bytes:
    """Return 32 bytes derived from a secret and some words; no word may contain a line break."""
    return hmac.digest(secret, "\n".join(parts).encode(), "sha256")


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
