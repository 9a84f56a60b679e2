"""Tokens: replace a token, and optionally pause the player's webhooks, which can act for the player as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson

from .. import idempotency
from ..games.repository import Games
from ..idempotency import Attempt
from ..store.players import hash_of
from ..webhooks import signing, subscriptions
from ..webhooks.presentation import show_webhook, show_with_secret
from . import players

TARGET = "POST /v1/me/token"

Json = dict[str, Any]
SecretOf = Callable[[str], str]
"""Returns the new secret for a webhook's id."""


class Replaced(NamedTuple):
    """A new token, and the player's webhooks as JSON: the active ones, or all of them with new secrets if paused.

    `repeated` is whether an earlier attempt was made with the same key.
    """

    player: players.Player
    token: str
    webhooks: Sequence[Json]
    repeated: bool = False


def replace(games: Games, player: players.Player, *, pause: bool) -> Replaced:
    """Replace a player's token; with `pause`, also stop every webhook and replace its secrets."""
    if pause:
        subscriptions.pause_all(games, player.id, _new_secret)
    token = players.new_token(games, player)
    return Replaced(player, token, _remaining(games, player, _new_secret if pause else None))


def replace_once(games: Games, token: str, key: str, *, pause: bool) -> Replaced | None:
    """Replace a token as `replace` does, for a request that may be repeated; None if nobody has the token.

    The answer with the new token may be lost, so a repeated request is also accepted with the token that it replaced:
    that token is valid only together with the key, and only for this request. The key must be as hard to guess as a
    token. Raises: Problem (key-reused).
    """
    player, valid = players.player_of_token(games, token)
    if player is None:
        return None
    body = idempotency.fingerprint_of({"webhooks": "pause"} if pause else {})
    sent_hash = hash_of(token)
    if valid:
        attempt = idempotency.begin(games.store, player.id, TARGET, key, body, token=sent_hash)
        if _is_for_another_token(attempt, sent_hash):
            idempotency.release(games.store, attempt)
            attempt = idempotency.begin(games.store, player.id, TARGET, key, body, token=sent_hash)
        return _carry_out(games, player, attempt, sent_hash, pause=pause)
    earlier = idempotency.resume(games.store, player.id, TARGET, key, body, token=sent_hash)
    if earlier is None or "rotated" not in earlier.marks:
        return None
    return _carry_out(games, player, earlier, sent_hash, pause=pause)


def _is_for_another_token(attempt: Attempt, sent_hash: str) -> bool:
    """Return whether an earlier attempt was made with another token, and ended before it replaced that token."""
    return attempt.begun and "rotated" not in attempt.marks and attempt.marks.get("token") != sent_hash.encode()


def _carry_out(
    games: Games, player: players.Player, attempt: Attempt, sent_hash: str, *, pause: bool
) -> Replaced | None:
    """Carry out an attempt; `sent_hash` is that of the token sent. None if another request has replaced that token."""
    before = attempt.marks.get("token", sent_hash.encode()).decode()
    secret = attempt.derive(f"token {before}")
    secret_of = partial(_derived_secret, attempt) if pause else None
    if attempt.answer is not None:
        token = players.token_of(player.id, secret)
        return Replaced(player, token, _with_secrets(attempt.answer, secret_of), repeated=True)
    if secret_of is not None:
        subscriptions.pause_all(games, player.id, secret_of)
    new_token = players.new_token_once(games, player, secret, before, attempt)
    if new_token is None:
        idempotency.release(games.store, attempt)
        return None
    webhooks = [_without_secret(webhook) for webhook in _remaining(games, player, secret_of)]
    answer = idempotency.record(games.store, attempt, orjson.dumps(webhooks))
    return Replaced(player, new_token, _with_secrets(answer, secret_of), attempt.begun)


def _remaining(games: Games, player: players.Player, secret_of: SecretOf | None) -> list[Json]:
    """Return a player's webhooks as JSON, after the token was replaced.

    They are paused again, because a request with the old token may have added one in the meantime.
    """
    if secret_of is None:
        return [show_webhook(webhook) for webhook in subscriptions.active(games, player.id)]
    return [show_with_secret(webhook) for webhook in subscriptions.pause_all(games, player.id, secret_of)]


def _with_secrets(recorded: bytes, secret_of: SecretOf | None) -> list[Json]:
    """Return the webhooks of a recorded answer; their secrets are not recorded, but derived again."""
    webhooks: list[Json] = orjson.loads(recorded)
    return webhooks if secret_of is None else [{**webhook, "secret": secret_of(webhook["id"])} for webhook in webhooks]


def _without_secret(webhook: Json) -> Json:
    return {name: value for name, value in webhook.items() if name != "secret"}


def _new_secret(_: str) -> str:
    return signing.new_secret()


def _derived_secret(attempt: Attempt, webhook_id: str) -> str:
    return signing.secret_of(attempt.derive(f"secret {webhook_id}"))
