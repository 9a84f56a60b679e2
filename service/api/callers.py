"""Callers: the player whose token was sent with a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import current_app, g, request

from ..accounts import players
from ..accounts.access import check_access, token_unknown
from ..games.repository import Games
from ..parking import ACCEPTED_PLAYER, PLACE
from ..problems import Problem
from ..views.waiting import Patience
from .context import games

LINK = "Game-Link"
"""The header with the secret of a private game's link. In a path or a query, the secret would end up in logs."""


def caller() -> players.Player:
    """Return the player whose token was sent. The token must have the scope that the operation declares.

    Raises: Problem (token-required, token-unknown, token-expired, suspended, scope-missing).
    """
    player = g.get("caller") or _find_player(games(), request.headers.get("Authorization"), _scope())
    if player is None:
        raise _token_required()
    _note_acceptance(player)
    return player


def caller_if_known() -> players.Player | None:
    """Return the player whose token was sent, or None if no token was sent or the token does not allow this request.

    Use this function for views that also serve callers without a valid token, but show those callers fewer details.
    """
    token = token_or_none()
    player = None if token is None else players.player_with_token(games(), token)
    return player if player is not None and player.refusal(_scope(), games().now()) is None else None


def link_sent() -> str | None:
    """Return the secret of a private game's link from the request, or None if the request has none."""
    return request.headers.get(LINK)


def required_token() -> str:
    """Return the request's token, even if it is not valid. Raises: Problem (token-required)."""
    header = request.headers.get("Authorization")
    if header is None:
        raise _token_required()
    return _parse_token(header) or ""


def caller_and_log(game_id: str) -> tuple[players.Player, players.ReadAhead | None]:
    """Return the player whose token was sent with the request, and a game's log. Takes one round trip.

    If the log cannot be read, the error is raised later, when the game is loaded from the log. Raises: as `caller`.
    """
    player, ahead = caller_or_nobody_and_log(game_id)
    if player is None:
        raise _token_required()
    return player, ahead


def caller_or_nobody_and_log(game_id: str) -> tuple[players.Player | None, players.ReadAhead | None]:
    """Return the player and the game's log, as `caller_and_log` does, or (None, None) if no token was sent.

    Raises: Problem (token-unknown, token-expired, suspended, scope-missing).
    """
    header = request.headers.get("Authorization")
    if header is None:
        return None, None
    token = _parse_token(header)
    player_and_log = None if token is None else players.player_and_log(games(), token, game_id)
    if player_and_log is None:
        raise token_unknown()
    check_access(player_and_log[0], _scope(), games().now())
    _note_acceptance(player_and_log[0])
    return player_and_log


def token_or_none() -> str | None:
    """Return the request's token, even if it is not valid, or None if the request has no token."""
    return _parse_token(request.headers.get("Authorization", ""))


def patience(seconds: float = 0) -> Patience:
    """Return how long this request may wait, and its place among the waiting requests.

    Identify the player first, for example with `caller`, because a waiting request counts towards the player's share.
    """
    return Patience(seconds, request.environ.get(ACCEPTED_PLAYER), request.environ.get(PLACE))


def caller_check() -> Callable[[], str | None]:
    """Return a function that rechecks the request's token whenever it is called, and returns the player's id.

    The function returns None if no token was sent. The function raises: Problem (token-unknown, token-expired,
    suspended, scope-missing).
    """
    app_games, header, scope = games(), request.headers.get("Authorization"), _scope()

    def check() -> str | None:
        player = _find_player(app_games, header, scope)
        return player.id if player else None

    return check


def _find_player(games: Games, header: str | None, scope: str) -> players.Player | None:
    if header is None:
        return None
    token = _parse_token(header)
    player = None if token is None else players.player_with_token(games, token)
    if player is None:
        raise token_unknown()
    check_access(player, scope, games.now())
    return player


def _scope() -> str:
    """Return the scope that the operation's route declares."""
    view: Any = current_app.view_functions[request.endpoint or ""]
    return str(view.scope)


def _note_acceptance(player: players.Player) -> None:
    """Record in the WSGI environment, for the gateway, that this request's token belongs to this player."""
    request.environ[ACCEPTED_PLAYER] = player.id


def _token_required() -> Problem:
    return Problem(
        "token-required",
        "send Authorization: Bearer <token>; POST /v1/players registers a player and returns a token",
        headers={"WWW-Authenticate": "Bearer"},
    )


def _parse_token(header: str) -> str | None:
    """Return the token in an Authorization header, or None if the header has another scheme."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
