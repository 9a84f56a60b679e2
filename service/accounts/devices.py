"""Devices: a player can give a new device a code, which the device exchanges for its own token."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Any, NamedTuple

import orjson

from .. import idempotency
from ..games.repository import Games
from ..idempotency import Attempt
from ..problems import Problem
from ..store import tokens as stored
from ..store.devices import LIFETIME
from ..store.errors import UnknownPlayer, UnknownToken
from ..store.tokens import Token, hash_of, id_of, token_of
from . import players, tokens
from .codes import DEVICE_GROUPS, code_from, hash_of_code

Json = dict[str, Any]


class DeviceCode(NamedTuple):
    """A code for a new device, the time when it expires (ms since the epoch), and the new token's scopes."""

    code: str
    expires: int
    scopes: tuple[str, ...]


def make_code(
    games: Games, player: players.Player, scopes: Collection[str], attempt: Attempt | None = None
) -> DeviceCode:
    """Return a code that one new device can exchange for a token with these scopes. Only the code's hash is stored.

    The code stops working when the token that was sent with this request is revoked or replaced. With an
    Idempotency-Key, the code is derived from the key, so a repeated request gets the same code.
    """
    bits = secrets.token_bytes(32) if attempt is None else attempt.derive("device")
    code, chosen = code_from(bits, DEVICE_GROUPS), tokens.in_order(scopes)
    games.store.devices.add(hash_of_code(code), player.id, chosen, player.token_id)
    return DeviceCode(code, games.now() + LIFETIME, chosen)


def exchange(games: Games, code: str, name: str, key: str | None) -> tuple[Json, bool]:
    """Exchange a code for a new token, which belongs to the player who created the code.

    Returns the player and the token as JSON, and whether there was an earlier attempt with the same key. `name` becomes
    the token's name. If `key` is given, the token is derived from it, so the key must be as hard to guess as a token.
    Raises: Problem (code-unknown, too-many-tokens, key-reused).
    """
    code_hash = hash_of_code(code)
    if key is None:
        return _exchange(games, code_hash, name, secrets.token_hex(16), secrets.token_bytes(stored.BYTES)), False
    body = idempotency.fingerprint_of({"code": code_hash, "name": name})
    attempt = idempotency.begin_without_player(games.store, "device", key, body)
    if attempt.answer is not None:
        answer: Json = orjson.loads(idempotency.reveal(attempt, attempt.answer.decode()))
        return answer, True
    try:
        answer = _exchange(games, code_hash, name, attempt.derive("device").hex(), attempt.derive("token"))
    except Problem:
        idempotency.release(games.store, attempt)
        raise
    idempotency.record(games.store, attempt, idempotency.hide(attempt, orjson.dumps(answer)).encode())
    return answer, attempt.begun


def _exchange(games: Games, code_hash: str, name: str, attempt_name: str, secret: bytes) -> Json:
    taken = games.store.devices.take(code_hash, attempt_name)
    player = None if taken is None else games.store.players.get(taken.player)
    if taken is None or player is None:
        raise code_unknown()
    text, now = token_of(player.id, secret), games.now()
    token = Token(id_of(hash_of(text)), name, taken.scopes, now, used=now)
    try:
        token = tokens.add(games, player.id, text, token, asker=taken.asker)
    except (UnknownPlayer, UnknownToken) as error:
        raise code_unknown() from error
    return {"id": player.id, "name": player.name, "token": text, "scopes": list(token.scopes)}


def code_unknown() -> Problem:
    """Return the problem for an invalid code. The problem does not say why the code is invalid."""
    return Problem(
        "code-unknown",
        "this code is not valid: check it for typos; it may also have expired, been used or been replaced",
    )
