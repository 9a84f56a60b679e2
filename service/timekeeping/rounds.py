"""The timekeeper: each of its rounds writes the events that are due in games whose alarm time has passed.

The timekeeper itself stores nothing: alarms and outages are in the store. Several timekeepers can run at the same
time without writing a timeout twice.

If the timekeeper cannot update a game's clock, it sets the game aside, and names the game in the log output and the
health report. The timekeeper only occasionally retries a game that it has set aside, so that the game does not delay
other games.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable

from ..games.repository import Games
from ..logs import about
from ..problems import Problem
from ..store.errors import DamagedData, StoreError, StoreForbids, StoreUnavailable
from ..store.presence import CLOCK, PresenceState
from .deadlines import give_credit, keep_time

BUDGET = 5.0
"""After this number of seconds, a round does not begin work on another game.

The round then records its presence and ends, and the next round continues with the remaining games.
"""
MAX_DUE = 50
"""The maximum number of games per shard that one round checks."""
RARELY = 600_000
"""Milliseconds after which the timekeeper retries a game that was set aside."""
SOON = 5_000
"""Milliseconds after which the timekeeper retries a game for which the log server denied permission. The permission may
change soon."""

_logger = logging.getLogger(__name__)


class Timekeeper:
    """The timekeeper of all games."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._credited = 0
        self._uncredited: deque[str] = deque()
        self._aside: dict[str, int] = {}
        self._tried_again = games.now()

    def round(self) -> bool:
        """Run one round, and return whether more work may be waiting. Raises: StoreError."""
        games, now, ends = self._games, self._games.now(), time.monotonic() + BUDGET
        aside, presence = len(self._aside), games.store.presence.read()
        self._find_games(presence)
        while self._uncredited and time.monotonic() < ends and not presence.read_only:
            self._isolated(self._uncredited.popleft(), give_credit)
        # While another part of the service is silent, no player's time runs out, and all other due events can wait
        # until that part is back.
        due = [] if presence.silent(now) else games.store.alarms.due(now, MAX_DUE + len(self._aside))
        commits = 0
        for game_id in due if time.monotonic() < ends else ():
            commits += self._keep(game_id)
            if time.monotonic() > ends:
                break
        if not presence.read_only:
            self._try_again(now)
        # Record the presence last, because an unfinished round must not count as presence.
        outage_ended = games.store.presence.beat(CLOCK, now)
        progressed = commits > 0 or len(self._aside) > aside
        if presence.read_only:
            return False
        return bool(self._uncredited) or outage_ended or (progressed and len(due) >= MAX_DUE)

    def _find_games(self, presence: PresenceState) -> None:
        """After an outage, queue every game with a running clock, so that its deadline is extended by the outage's
        length.
        """
        if presence.outages and presence.outages[-1].until > self._credited:
            self._credited = presence.outages[-1].until
            self._uncredited.extend(self._games.store.alarms.all())

    def _keep(self, game_id: str) -> int:
        """Write all events that are due in a game, each in a separate commit, and return the number of commits."""
        commits = 0
        while self._isolated(game_id, keep_time):
            commits += 1
        return commits

    def _isolated(self, game_id: str, work: Callable[[Games, str], bool]) -> bool:
        """Call `work` for a game. If `work` fails, set the game aside, so that it does not delay other games.

        Raises: StoreUnavailable.
        """
        if self._aside.get(game_id, 0) > self._games.now():
            return False
        with about(game=game_id):
            return self._try(game_id, work)

    def _try(self, game_id: str, work: Callable[[Games, str], bool]) -> bool:
        try:
            done = work(self._games, game_id)
        except StoreForbids as error:
            _logger.warning("cannot update the clock of game %s (%s); retrying soon", game_id, error)
            self._aside[game_id] = self._games.now() + SOON
            return False
        except StoreUnavailable:
            raise
        except Exception as error:
            self._set_aside(game_id, error)
            return False
        if self._aside.pop(game_id, None):
            self._take_up(game_id)
        return done

    def _set_aside(self, game_id: str, error: Exception) -> None:
        """Skip a game temporarily, log the failure, and list the game as set aside. Raises: StoreUnavailable."""
        now = self._games.now()
        if game_id not in self._aside:
            is_bug = not isinstance(error, StoreError | Problem)
            _logger.critical(
                "cannot update the clock of game %s: %s", game_id, error, exc_info=error if is_bug else None
            )
        self._aside[game_id] = now + RARELY
        self._games.store.set_aside.note(game_id, error, now)
        try:
            self._games.store.alarms.set_aside(game_id, now, now + RARELY)
        except StoreUnavailable:
            raise
        except StoreError:
            _logger.exception("cannot postpone game %s", game_id)

    def _take_up(self, game_id: str) -> None:
        """Log that a game is no longer set aside, and remove it from the list. Raises: StoreUnavailable."""
        _logger.warning("the clock of game %s works again", game_id)
        with contextlib.suppress(DamagedData):
            self._games.store.set_aside.forget(game_id)

    def _try_again(self, now: int) -> None:
        """Occasionally retry the games that any process has set aside. Raises: StoreUnavailable."""
        if now - self._tried_again < RARELY:
            return
        self._tried_again = now
        with contextlib.suppress(DamagedData):
            for game_id, _, _ in self._games.store.set_aside.first(MAX_DUE)[0]:
                self._aside.setdefault(game_id, now)
                self._isolated(game_id, keep_time)
