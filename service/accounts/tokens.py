"""Tokens: functions that list, create, revoke and replace a player's tokens.

Replacing a token does not stop webhooks, but a player can pause all webhooks in the same request.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, NamedTuple

import orjson

from .. import idempotency
from ..games.repository import Games
from ..idempotency import Attempt, claim_of, is_done
from ..problems import Problem, shown
from ..store import tokens
from ..store.errors import TooManyTokens, UnknownPlayer, UnknownToken
from ..store.tokens import ACCOUNT, ADMIN, SCOPES, Token, hash_of, token_of
from ..webhooks import signing, subscriptions
from ..webhooks.presentation import show_webhook, show_with_secret
from . import players
from .access import check_access, token_unknown

TARGET = "POST /v1/me/token"

Json = dict[str, Any]
SecretOf = Callable[[str], str]
"""A function that returns the new secret for a webhook, given the webhook's id."""


class Choice(NamedTuple):
    """The attributes of a new token. `expires` is in ms since the epoch, or None for a token that never expires."""

    name: str
    scopes: Collection[str]
    expires: int | None = None


class Replaced(NamedTuple):
    """The new token, and the player's webhooks as JSON.

    If the webhooks were paused, `webhooks` contains all of them, with their new secrets. If the webhooks were not
    paused, `webhooks` contains only the active ones. `repeated` says whether there was an earlier attempt with the same
    key.
    """

    player: players.Player
    token: str
    webhooks: Sequence[Json]
    repeated: bool = False


def of_player(games: Games, player: players.Player) -> list[Json]:
    """Return the data about a player's tokens as JSON, oldest token first, in one round trip."""
    return [show_token(token, player.token) for token in games.store.players.tokens(player.id)]


def create(games: Games, player: players.Player, choice: Choice, attempt: Attempt | None = None) -> Json:
    """Create another token for a player, and return the token and its data as JSON.

    With an Idempotency-Key, the token is derived from the key, so a repeated request gets the same token. Raises:
    Problem (invalid-request, too-many-tokens; token-unknown if the player's token was revoked in the meantime).
    """
    now = games.now()
    if choice.expires is not None and choice.expires <= now and not is_done(attempt, "token-added"):
        errors = {"expires_at": ["Must be in the future."]}
        raise Problem("invalid-request", "expires_at: must be in the future", errors=errors)
    secret = secrets.token_bytes(tokens.BYTES) if attempt is None else attempt.derive("token")
    text = token_of(player.id, secret)
    token = Token(tokens.id_of(hash_of(text)), choice.name, in_order(choice.scopes), now, choice.expires)
    try:
        token = add(games, player.id, text, token, claim_of(attempt), asker=player.token_id)
    except (UnknownPlayer, UnknownToken) as error:
        raise token_unknown() from error
    return {**show_token(token, player.token), "token": text}


def add(games: Games, player: str, text: str, token: Token, claim: str | None = None, *, asker: str = "") -> Token:
    """Store an additional token for a player, and return the stored token.

    The arguments are those of `Players.add_token`.

    Raises: Problem (too-many-tokens), UnknownPlayer, UnknownToken.
    """
    try:
        return games.store.players.add_token(player, text, token, claim, asker=asker)
    except TooManyTokens as error:
        raise Problem("too-many-tokens", f"{error}: revoke one first") from error


def revoke(games: Games, player: players.Player, token_id: str, attempt: Attempt | None = None) -> None:
    """Revoke a player's token: it stops working immediately. Raises: Problem (unknown-token)."""
    if not games.store.players.remove_token(player.id, token_id, claim_of(attempt)):
        raise Problem("unknown-token", f"you have no token {shown(token_id)}: GET /v1/me/tokens lists your tokens")


def show_token(token: Token, current: Token | None) -> Json:
    """Return a token's data as JSON, without the token itself.

    `current` is the token that was sent with the request, or None.
    """
    return {
        "id": token.id,
        "name": token.name,
        "scopes": list(token.scopes),
        "created_at": token.created,
        "expires_at": token.expires,
        "last_used_at": token.used,
        "current": current is not None and token.id == current.id,
    }


def in_order(scopes: Collection[str]) -> tuple[str, ...]:
    """Return scopes without duplicates, in their documented order."""
    return tuple(scope for scope in SCOPES if scope in scopes)


def replace(games: Games, player: players.Player, token: str, *, pause: bool) -> Replaced | None:
    """Replace a player's token. If `pause` is true, also pause all webhooks and replace their secrets.

    The new token has the name, the scopes and the expiry of the replaced token, but never the admin scope. Returns None
    if another request has replaced or revoked the token.
    """
    secret_of = secrets_for(None) if pause else None
    pause_webhooks(games, player, secret_of)
    new_token = token_of(player.id, secrets.token_bytes(tokens.BYTES))
    successor = _successor(games, player, new_token)
    if not games.store.players.replace_token(player.id, hash_of(token), new_token, successor):
        return None
    return Replaced(player, new_token, remaining_webhooks(games, player, secret_of))


def replace_once(games: Games, token: str, key: str, *, pause: bool) -> Replaced | None:
    """Replace a token for a request with an Idempotency-Key. Return None if no player has the token.

    A client that did not receive the new token can repeat the request with the replaced token. A replaced token can be
    used only to repeat this request, and only together with the key. The Idempotency-Key must be as hard to guess as a
    token. Raises: Problem (key-reused; also token-expired, suspended and scope-missing, but not for a replaced token).
    """
    player, valid = players.player_of_token(games, token)
    if player is None:
        return None
    body = idempotency.fingerprint_of({"webhooks": "pause"} if pause else {})
    sent_hash = hash_of(token)
    if valid:
        check_access(player, ACCOUNT, games.now())
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
    """Return whether an earlier attempt used a different token and did not replace that token."""
    return attempt.begun and "rotated" not in attempt.marks and attempt.marks.get("token") != sent_hash.encode()


def _carry_out(
    games: Games, player: players.Player, attempt: Attempt, sent_hash: str, *, pause: bool
) -> Replaced | None:
    """Replace the token that has this hash. Return None if another request has already replaced the token."""
    before = attempt.marks.get("token", sent_hash.encode()).decode()
    secret = attempt.derive(f"token {before}")
    secret_of = secrets_for(attempt) if pause else None
    if attempt.answer is not None:
        token = token_of(player.id, secret)
        return Replaced(player, token, with_secrets(attempt.answer, secret_of), repeated=True)
    pause_webhooks(games, player, secret_of)
    new_token = token_of(player.id, secret)
    successor = _successor(games, player, new_token)
    if not games.store.players.replace_token(player.id, before, new_token, successor, attempt.claim):
        idempotency.release(games.store, attempt)
        return None
    webhooks = without_secrets(remaining_webhooks(games, player, secret_of))
    answer = idempotency.record(games.store, attempt, orjson.dumps(webhooks))
    return Replaced(player, new_token, with_secrets(answer, secret_of), attempt.begun)


def _successor(games: Games, player: players.Player, token: str) -> Token:
    """Return the data to store about the new token (`token`), which replaces the token sent with the request.

    If `player.token` is None, an earlier attempt has already stored the new token, so the result of this function is
    not stored.
    """
    now, before = games.now(), player.token
    token_id = tokens.id_of(hash_of(token))
    if before is None:
        return Token(token_id, tokens.FIRST_NAME, tokens.SCOPES, now, used=now)
    scopes = tuple(scope for scope in before.scopes if scope != ADMIN)
    return before._replace(id=token_id, scopes=scopes, created=now, used=now)


def secrets_for(attempt: Attempt | None) -> SecretOf:
    """Return a function that creates a new secret for each webhook.

    If `attempt` is given, the function derives the secrets from the Idempotency-Key.
    """
    return _new_secret if attempt is None else partial(_derived_secret, attempt)


def pause_webhooks(games: Games, player: players.Player, secret_of: SecretOf | None) -> None:
    """Pause all of a player's webhooks, and replace their secrets. If `secret_of` is None, change nothing."""
    if secret_of is not None:
        subscriptions.pause_all(games, player.id, secret_of)


def remaining_webhooks(games: Games, player: players.Player, secret_of: SecretOf | None) -> list[Json]:
    """Return a player's webhooks as JSON, for the response to a request that replaced the token.

    If `secret_of` is given, pause all webhooks once more, because a request with the old token may have added a webhook
    in the meantime. Otherwise, return only active webhooks.
    """
    if secret_of is None:
        return [show_webhook(webhook) for webhook in subscriptions.active(games, player.id)]
    return [show_with_secret(webhook) for webhook in subscriptions.pause_all(games, player.id, secret_of)]


def with_secrets(recorded: bytes, secret_of: SecretOf | None) -> list[Json]:
    """Return the webhooks from a recorded response, with their secrets.

    Secrets are not recorded, so `secret_of` re-derives them. If `secret_of` is None, no secrets are added.
    """
    webhooks: list[Json] = orjson.loads(recorded)
    return webhooks if secret_of is None else [{**webhook, "secret": secret_of(webhook["id"])} for webhook in webhooks]


def without_secrets(webhooks: Sequence[Json]) -> list[Json]:
    """Remove the secrets from webhooks, for the recorded response."""
    return [{name: value for name, value in webhook.items() if name != "secret"} for webhook in webhooks]


def _new_secret(_: str) -> str:
    return signing.new_secret()


def _derived_secret(attempt: Attempt, webhook_id: str) -> str:
    return signing.secret_of(attempt.derive(f"secret {webhook_id}"))
