"""Tokens that the host creates. Only tokens created by the host may have the `admin` scope.

A token's text is shown only once, and is not written to the audit log.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Any

from ..games.repository import Games
from ..problems import Problem, shown
from ..store import tokens
from ..store.errors import TooManyTokens
from ..store.tokens import ADMIN, SCOPES, Token, hash_of, token_of
from .acts import Actor, act, recorded
from .players import require

__all__ = ["ADMIN", "SCOPES", "create", "of_player", "revoke"]

Json = dict[str, Any]


def of_player(games: Games, name_or_id: str) -> list[Json]:
    """Return information about a player's tokens, oldest first, but not the tokens themselves.

    Raises: Problem (unknown-player).
    """
    return [_show(token) for token in games.store.players.tokens(require(games, name_or_id).id)]


def create(
    games: Games, actor: Actor, name_or_id: str, name: str, scopes: Collection[str], expires: int | None = None
) -> Json:
    """Create another token for a player, and return the token and its data as JSON.

    `expires` is in ms since the epoch, or None if the token never expires. Raises: Problem (unknown-player,
    invalid-request, too-many-tokens).
    """
    account = require(games, name_or_id)
    if expires is not None and expires <= games.now():
        errors = {"expires": ["Must be in the future."]}
        raise Problem("invalid-request", "expires: must be in the future", errors=errors)
    text = token_of(account.id, secrets.token_bytes(tokens.BYTES))
    in_order = tuple(scope for scope in (*SCOPES, ADMIN) if scope in scopes)
    token = Token(tokens.id_of(hash_of(text)), name, in_order, games.now(), expires)
    creation = act("create-token", account.id, None, token=token.id, name=name, scopes=list(in_order), expires=expires)
    with recorded(games, actor, creation):
        try:
            games.store.players.add_token(account.id, text, token)
        except TooManyTokens as error:
            detail = f"{account.name} already has the maximum of {tokens.MAX_TOKENS} tokens: revoke one first"
            raise Problem("too-many-tokens", detail) from error
    return {**_show(token), "token": text}


def revoke(games: Games, actor: Actor, name_or_id: str, token_id: str) -> None:
    """Revoke a player's token: it stops working immediately. Raises: Problem (unknown-player, unknown-token)."""
    account = require(games, name_or_id)
    token = next((one for one in games.store.players.tokens(account.id) if one.id == token_id), None)
    if token is None:
        detail = f"{account.name} has no token {shown(token_id)}: see the list of the player's tokens"
        raise Problem("unknown-token", detail)
    with recorded(games, actor, act("revoke-token", account.id, None, token=token.id, name=token.name)):
        games.store.players.remove_token(account.id, token.id)


def _show(token: Token) -> Json:
    return {
        "id": token.id,
        "name": token.name,
        "scopes": list(token.scopes),
        "created_at": token.created,
        "expires_at": token.expires,
        "last_used_at": token.used,
    }
