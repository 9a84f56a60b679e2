"""Recovery: a player who has lost all tokens can exchange a recovery code for a new token."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson

from .. import idempotency
from ..games.repository import Games
from ..idempotency import Attempt, claim_of
from ..store import tokens as stored
from ..store.tokens import SCOPES, Token, hash_of, id_of, token_of
from . import players, tokens
from .access import token_unknown
from .codes import RECOVERY_GROUPS, code_from, hash_of_code
from .devices import code_unknown

TARGET = "POST /v1/recovery"
TOKEN_NAME = "recovery"

Json = dict[str, Any]


class Recovered(NamedTuple):
    """A player after a recovery, with a new recovery code and a new token, which is now the player's only token.

    `webhooks` means the same as in `tokens.Replaced`. `repeated` says whether there was an earlier attempt with the
    same key.
    """

    player: players.Player
    token: str
    code: str
    webhooks: Sequence[Json]
    repeated: bool = False


def new_code(games: Games, player: players.Player, attempt: Attempt | None = None) -> str:
    """Replace a player's recovery code, and return the new code.

    With an Idempotency-Key, the code is derived from the key. Raises: Problem (token-unknown) if the player's token was
    revoked in the meantime.
    """
    code = code_from(secrets.token_bytes(32) if attempt is None else attempt.derive("recovery"), RECOVERY_GROUPS)
    if not games.store.players.replace_recovery(player.id, hash_of_code(code), player.token_id, claim_of(attempt)):
        raise token_unknown()
    return code


def recover(games: Games, who: str, code: str, key: str | None, *, by_name: bool, pause: bool) -> Recovered:
    """Revoke all of a player's tokens, and return a new token and a new recovery code.

    If `by_name` is true, `who` is the player's name. Otherwise, `who` is the player's id. If `key` is given, the token
    and the code are derived from it, so a repeated request returns the same values. The key must be as hard to guess as
    a token. If `pause` is true, the player's webhooks are paused and get new secrets. Raises: Problem (code-unknown,
    key-reused).
    """
    player_id = games.store.players.named(who) if by_name else who
    player = None if player_id is None else games.store.players.get(player_id)
    if player is None:
        raise code_unknown()
    code_hash = hash_of_code(code)
    before, expected = games.store.players.recovery(player.id)
    valid = hmac.compare_digest(expected.encode(), code_hash.encode())
    if key is None:
        if not valid:
            raise code_unknown()
        return _carry_out(games, player, before, None, pause=pause)
    body = idempotency.fingerprint_of({"code": code_hash, "pause": pause})
    begin = partial(idempotency.begin if valid else idempotency.resume, games.store, player.id, TARGET, key, body)
    attempt = begin(code=body)
    if attempt is None or not (valid or "recovered" in attempt.marks):
        raise code_unknown()
    return _carry_out(games, player, before, attempt, pause=pause)


def _carry_out(
    games: Games, player: players.Player, before: bytes, attempt: Attempt | None, *, pause: bool
) -> Recovered:
    secret = secrets.token_bytes(stored.BYTES) if attempt is None else attempt.derive("token")
    bits = secrets.token_bytes(32) if attempt is None else attempt.derive("recovery")
    text, code = token_of(player.id, secret), code_from(bits, RECOVERY_GROUPS)
    secret_of = tokens.secrets_for(attempt) if pause else None
    if attempt is not None and attempt.answer is not None:
        return Recovered(player, text, code, tokens.with_secrets(attempt.answer, secret_of), repeated=True)
    tokens.pause_webhooks(games, player, secret_of)
    now = games.now()
    token = Token(id_of(hash_of(text)), TOKEN_NAME, SCOPES, now, used=now)
    if not games.store.players.recover(player.id, before, hash_of_code(code), text, token, claim_of(attempt)):
        raise code_unknown()
    webhooks = tokens.remaining_webhooks(games, player, secret_of)
    if attempt is None:
        return Recovered(player, text, code, webhooks)
    answer = idempotency.record(games.store, attempt, orjson.dumps(tokens.without_secrets(webhooks)))
    return Recovered(player, text, code, tokens.with_secrets(answer, secret_of), attempt.begun)
