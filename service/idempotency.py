"""Idempotency: repeating a request with the same Idempotency-Key has no further effect, and returns the first response.

An Idempotency-Key belongs to one player, and to one method and path. All ids, tokens and secrets created by a request
with a key are derived from three values: the key, the secret in the store, and the server's current secret key
(`store.keyring`). A retry after a crash therefore creates exactly the same values. A copy of the store alone is not
enough to compute these values.

The claim, which is the store's record of the request, names the secret key that was current when the request began. A
client can therefore repeat the request after the operator has added a new secret key, as long as the server still has
the earlier key.
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
"""The field of a claim that names the secret key that was current when the request began. The field is absent if the
server had no secret key."""


@dataclass(frozen=True)
class Attempt:
    """One attempt to carry out a request that has an Idempotency-Key.

    `claim` is the key under which the store records the request. `fingerprint` is the hash of the request's body.
    `begun` says whether an earlier attempt has begun. If `begun` is true but there is no `answer`, the earlier attempt
    is still running, or ended without recording a response. `marks` are the fields that earlier attempts have stored
    under `claim`, including the fields that record their effects.
    """

    claim: str
    fingerprint: str
    begun: bool
    marks: Mapping[str, bytes] = field(repr=False)
    _root: bytes = field(repr=False)
    _secret_root: bytes = field(repr=False)

    @property
    def answer(self) -> bytes | None:
        """The recorded response, or None if no response is recorded."""
        return self.marks.get("answer")

    @property
    def key(self) -> str:
        """The key of this request's commit. The key contains a space, so it differs from the keys of moves."""
        return f"once {_text(_derive(self._root, 'commit')[:16])}"

    def derive(self, purpose: str) -> bytes:
        """Derive 32 bytes for a purpose.

        All attempts at one request derive the same bytes. Attempts at different requests derive different bytes.
        """
        return hmac.digest(self._secret_root, f"{purpose}\n{self.fingerprint}".encode(), "sha256")


def begin(store: Store, player: str, target: str, key: str, fingerprint: str, **extra: str) -> Attempt:
    """Record a player's attempt at a request, and return the attempt.

    `target` is the request's method and path. `extra` is stored in the request's claim. Takes one round trip, or two
    for the first request in a process. Raises: Problem (key-reused), StoreUnavailable.
    """
    return _begin(store, *_claim_of(store, player, target, key), fingerprint, extra)


def begin_registration(store: Store, key: str, fingerprint: str) -> Attempt:
    """Record an attempt to register, and return the attempt. Raises: as `begin`."""
    return begin_without_player(store, "registration", key, fingerprint)


def begin_without_player(store: Store, kind: str, key: str, fingerprint: str) -> Attempt:
    """Record an attempt at a request without a token, and return the attempt.

    Only `kind` (what the request does) and `key` identify the request. Raises: as `begin`.
    """
    root = _derive(store.secret.read(), kind, key)
    return _begin(store, of_registration(_derive(root, "claim")), root, fingerprint, {})


def resume(store: Store, player: str, target: str, key: str, fingerprint: str, **extra: str) -> Attempt | None:
    """Return a new attempt at a repeated request. Raises: the same errors as `begin`.

    Returns None if there was no earlier attempt, or if the earlier attempt had a different `extra`.
    """
    claim, root = _claim_of(store, player, target, key)
    fields = store.answers.read(claim)
    if any(fields.get(name) != value.encode() for name, value in extra.items()):
        return None
    return _resume(store, claim, root, fingerprint, fields)


def hide(attempt: Attempt, answer: bytes) -> str:
    """Encrypt a response that contains a secret, so that it can be recorded.

    Only a request with the same key can decrypt the response.
    """
    return base64.b64encode(encrypt(attempt.derive("answer"), answer)).decode()


def reveal(attempt: Attempt, hidden: str) -> bytes:
    """Return a response that `hide` has encrypted. Raises: Unreadable."""
    return decrypt(attempt.derive("answer"), base64.b64decode(hidden))


def record(store: Store, attempt: Attempt, answer: bytes) -> bytes:
    """Record the response to a request, unless a response is already recorded, and return the recorded response."""
    return store.answers.record(attempt.claim, attempt.fingerprint, answer)


def release(store: Store, attempt: Attempt) -> bytes | None:
    """Make the key of a refused request available again, unless an identical request has succeeded in the meantime.

    Returns the response to that identical request, or None if there is none.
    """
    # If the claim cannot be released now, it expires later. Until then, the server carries out each retry of the
    # request.
    with suppress(StoreError):
        return store.answers.release(attempt.claim, attempt.fingerprint)
    return None


def is_done(attempt: Attempt | None, mark: str) -> bool:
    """Return whether the claim already recorded the effect `mark` when this attempt began.

    Returns False if `attempt` is None.
    """
    return attempt is not None and mark in attempt.marks


def is_done_now(store: Store, attempt: Attempt | None, mark: str) -> bool:
    """Return whether the claim now records the effect `mark`.

    The effect may also come from an identical request that is still running. Returns False if `attempt` is None.
    If `attempt` is not None, the call takes one round trip.
    """
    return attempt is not None and mark in store.answers.read(attempt.claim)


def claim_of(attempt: Attempt | None) -> str | None:
    """Return the key under which the store records a request, or None if `attempt` is None."""
    return None if attempt is None else attempt.claim


def fingerprint_of(body: Any) -> str:
    """Return a 128-bit hash of a body.

    Commits store the hash of the request's body, so the service notices when a key is reused with a different body.

    >>> fingerprint_of({"a": 1, "b": 2}) == fingerprint_of({"b": 2, "a": 1})
    True
    """
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()[:32]


def key_reused(**members: Any) -> Problem:
    """Return the problem for a key that was already used with a different body."""
    return Problem(
        "key-reused", "you have already used this Idempotency-Key with a different body: use a new key", **members
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
    """Return the bytes from which all secret values of a request are derived.

    Raises: Problem (key-reused) if the server no longer has the secret key.
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
    """Return 32 bytes derived from a secret and from `parts`, which must not contain line breaks."""
    return hmac.digest(secret, "\n".join(parts).encode(), "sha256")


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
