"""Looking: lists of games, one game, and waiting for it to go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..games.game import Game
from ..games.repository import Games, must_have_been
from ..games.table import OPEN, OVER
from ..problems import Problem
from ..store.errors import BadCursor
from ..timekeeping.deadlines import current, write_overdue


def list_games(
    games: Games, kind: str, player: str | None, cursor: str | None, limit: int
) -> tuple[list[dict[str, Any]], str | None]:
    """Return at most `limit` summaries, those that changed last first, and the cursor of the next page if there is one.

    `kind` is open, running, finished, substitute or mine; mine needs the `player`. Raises: Problem (invalid-request).
    """
    if kind != OPEN:
        write_overdue(games)
    try:
        return games.store.lists.page(kind, player, cursor, limit)
    except BadCursor as error:
        errors = {"cursor": ["No page before gave this cursor."]}
        raise Problem("invalid-request", "cursor: no page before gave this cursor", errors=errors) from error


def look_after(
    games: Games, game_id: str, version: int, seconds: float, who: Callable[[], str | None] = lambda: None
) -> Game:
    """Return a game, as soon as it has gone on after a version, or as it stands when so many seconds are over.

    A game that is over is not waited for. `who` is called after a wait, and raises where the caller's token was
    replaced meanwhile. Raises: Problem (unknown-game, invalid-request, token-unknown), TooManyWaits,
    StoreUnavailable, CorruptLog.
    """
    game = current(games, game_id)
    must_have_been(game, version)
    if game.status in OVER or game.version > version or not seconds:
        return game
    came = games.store.wakes.wait(game_id, seconds, lambda: games.store.log.length(game_id) > version)
    # The token is checked last: what a replaced one is refused was read before.
    game = current(games, game_id) if came else game
    who()
    return game
