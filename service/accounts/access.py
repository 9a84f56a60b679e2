"""Access: which operations a token permits."""

from __future__ import annotations

from ..problems import Problem
from ..store.players import Player
from ..store.tokens import ACCOUNT, ADMIN, PLAY, READ, SCOPES, WEBHOOKS, Token

__all__ = ["ACCOUNT", "ADMIN", "PLAY", "READ", "SCOPES", "WEBHOOKS", "Token", "check_access", "token_unknown"]

INVALID_TOKEN = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
"""The header of responses to requests with an invalid token (RFC 6750)."""


def check_access(player: Player, scope: str, now: int) -> None:
    """Check that a player may use an operation that needs this scope. `now` is in ms since the epoch.

    Raises: Problem (token-unknown, token-expired, suspended, scope-missing).
    """
    refusal = player.refusal(scope, now)
    if refusal == "token-expired":
        raise Problem(
            refusal,
            "this token has expired: use another of your tokens, or create one with a token that has the account scope",
            headers=INVALID_TOKEN,
        )
    if refusal == "suspended":
        raise Problem(refusal, f"the host has suspended your account: {player.suspended}", reason=player.suspended)
    if refusal == "scope-missing":
        raise Problem(
            refusal,
            f"this operation needs a token with the {scope} scope: use such a token, or create one",
            scope=scope,
        )
    if refusal is not None:
        raise token_unknown()


def token_unknown() -> Problem:
    """Return the problem for a token that belongs to no player."""
    return Problem(
        "token-unknown",
        "no player has this token: check the token, or use the new token if you have replaced it",
        headers=INVALID_TOKEN,
    )
