"""Rounds in which the clock process settles rematches and cancels games that nobody joins."""

from __future__ import annotations

import logging

from ..games.events import Event, GameCancelled
from ..games.game import Game
from ..games.isolation import isolated
from ..games.repository import Games
from ..games.table import OPEN
from ..play.attempts import change_once
from ..timekeeping.deadlines import CLOCK
from . import rematch

DAY = 86_400_000
MOST = 20
"""The maximum number of tables per shard that one round processes."""
EXPIRED = "nobody joined in time"
"""The reason shown when an expired game is cancelled."""

_logger = logging.getLogger(__name__)


class Tables:
    """Settles rematches, and cancels games that nobody joins. Each process has one `Tables`."""

    def __init__(self, games: Games, days: int) -> None:
        """Cancel games that have been open and unchanged for `days` days. If `days` is 0, cancel no games."""
        self._games, self._days = games, days

    def round(self) -> bool:
        """Settle the rematches that are due, and cancel the games that have expired.

        Takes two round trips if there is nothing to do. Always returns False, because the next round does not have to
        follow immediately. Raises: StoreUnavailable.
        """
        games, now = self._games, self._games.now()
        if games.store.presence.read().read_only:
            return False
        for game_id in games.store.tables.proposals_due(now, MOST):
            with isolated(_logger, game_id, "cannot settle the rematch %s"):
                rematch.settle(games, game_id)
        before = now - self._days * DAY
        for game_id in games.store.lists.open_since(before, MOST) if self._days else ():
            with isolated(_logger, game_id, "cannot cancel game %s, which nobody has joined"):
                expire(games, game_id, before)
        return False


def expire(games: Games, game_id: str, before: int) -> None:
    """Cancel a game that is open and has not changed since `before` (ms). Raises: Problem, StoreError."""

    def cancel(game: Game) -> list[Event]:
        return [GameCancelled(CLOCK, EXPIRED)] if game.status == OPEN and game.changed_at <= before else []

    change_once(games, game_id, CLOCK, None, cancel)
