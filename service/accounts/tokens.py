"""Tokens: replacing one, and what else may act for the player whose token it was."""

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
"""Returns the new secret of the webhook with an id."""


class Replaced(NamedTuple):
    """A new token, and the player's webhooks as JSON: the active ones, or all of them where they were paused.

    Those that were paused stand there with their new secrets. `repeated` when an earlier attempt was made with the key.
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
    return Replaced(player, token, _left(games, player, _new_secret if pause else None))


def replace_once(games: Games, token: str, key: str, *, pause: bool) -> Replaced | None:
    """Replace a token as `replace` does, for a request that may be repeated; None where it is nobody's token.

    The answer with the new token may be lost, so the request is also taken with the token that it has replaced: that
    token and the key together are taken, and for nothing else. The key must be as hard to guess as a token.
    Raises: Problem (key-reused).
    """
    player, valid = players.named_by(games, token)
    if player is None:
        return None
    body = idempotency.fingerprint_of({"webhooks": "pause"} if pause else {})
    sent = hash_of(token)
    if valid:
        attempt = idempotency.begin(games.store, player.id, TARGET, key, body, token=sent)
        if _died_for_another_token(attempt, sent):
            idempotency.release(games.store, attempt)
            attempt = idempotency.begin(games.store, player.id, TARGET, key, body, token=sent)
        return _carried_out(games, player, attempt, sent, pause=pause)
    earlier = idempotency.resume(games.store, player.id, TARGET, key, body, token=sent)
    if earlier is None or "rotated" not in earlier.marks:
        return None
    return _carried_out(games, player, earlier, sent, pause=pause)


def _died_for_another_token(attempt: Attempt, sent: str) -> bool:
    """Return whether an earlier attempt ended before it could replace a token that is not the player's any more."""
    return attempt.begun and "rotated" not in attempt.marks and attempt.marks.get("token") != sent.encode()


def _carried_out(games: Games, player: players.Player, attempt: Attempt, sent: str, *, pause: bool) -> Replaced | None:
    """Carry out an attempt that came with a token, by its hash; None where that was replaced by another request."""
    before = attempt.marks.get("token", sent.encode()).decode()
    secret = attempt.derived(f"token {before}")
    secret_of = partial(_derived_secret, attempt) if pause else None
    if attempt.answer is not None:
        token = players.token_of(player.id, secret)
        return Replaced(player, token, _again(attempt.answer, secret_of), repeated=True)
    if secret_of is not None:
        subscriptions.pause_all(games, player.id, secret_of)
    replaced = players.new_token_once(games, player, secret, before, attempt)
    if replaced is None:
        idempotency.release(games.store, attempt)
        return None
    shown = [_without_secret(webhook) for webhook in _left(games, player, secret_of)]
    recorded = idempotency.record(games.store, attempt, orjson.dumps(shown))
    return Replaced(player, replaced, _again(recorded, secret_of), attempt.begun)


def _left(games: Games, player: players.Player, secret_of: SecretOf | None) -> list[Json]:
    """Return what is shown of a player's webhooks after the token was replaced.

    They are paused once more: a request that came with the old token may have added one meanwhile.
    """
    if secret_of is None:
        return [show_webhook(webhook) for webhook in subscriptions.active(games, player.id)]
    return [show_with_secret(webhook) for webhook in subscriptions.pause_all(games, player.id, secret_of)]


def _again(recorded: bytes, secret_of: SecretOf | None) -> list[Json]:
    """Return what was shown of webhooks; secrets are not recorded, but derived again."""
    shown: list[Json] = orjson.loads(recorded)
    return shown if secret_of is None else [{**webhook, "secret": secret_of(webhook["id"])} for webhook in shown]


def _without_secret(webhook: Json) -> Json:
    return {name: value for name, value in webhook.items() if name != "secret"}


def _new_secret(_: str) -> str:
    return signing.new_secret()


def _derived_secret(attempt: Attempt, webhook_id: str) -> str:
    return signing.secret_of(attempt.derived(f"secret {webhook_id}"))
