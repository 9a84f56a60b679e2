"""Lists of games: open, running, finished, with a free seat in a running game, and a player's own."""

from __future__ import annotations

from typing import Any

from ..games.repository import Games
from ..games.table import OPEN
from ..problems import Problem
from ..store.errors import BadCursor
from ..timekeeping.deadlines import write_overdue


def list_games(
    games: Games, kind: str, player: str | None, cursor: str | None, limit: int
) -> tuple[list[dict[str, Any]], str | None]:
    """Return at most `limit` summaries, the last changed first, and the cursor of the next page if there is one.

    `kind` is open, running, finished, substitute or mine; mine needs the `player`. Raises: Problem (invalid-request).
    """
    if kind != OPEN:
        write_overdue(games)
    try:
        return games.store.lists.page(kind, player, cursor, limit)
    except BadCursor as error:
        errors = {"cursor": ["Must be next of an earlier page of this list."]}
        raise Problem(
            "invalid-request",
            "cursor: must be next of an earlier page of this list; leave it out to start at the newest games",
            errors=errors,
        ) from error
