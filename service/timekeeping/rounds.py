"""The timekeeper: looks round after round at the games whose clocks have something to say, and has it written.

It needs no memory but of what it has in hand: when to look at a game stands beside the game, and so do outages. Several
of them may work at once; each timeout is written once all the same.

A game that cannot be kept time of is set aside: it is named in the log and in the health report, and tried again only
now and then, so that the others need not wait for it.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable

from ..games.repository import Games
from ..problems import Problem
from ..store.errors import DamagedData, StoreError, StoreForbids, StoreUnavailable
from ..store.presence import CLOCK, Seen
from .deadlines import give_credit, keep_time

BUDGET = 5.0
"""Seconds after which a round takes up no further game: the next one does, and others learn that this one is done."""
MOST = 50
"""How many games of a shard are looked at in one round."""
RARELY = 600_000
"""Milliseconds after which a game that was set aside is tried again."""
SOON = 5_000
"""The same for a game of which the log server forbids something: that may be over in a moment."""

_logger = logging.getLogger(__name__)


class Timekeeper:
    """Whoever keeps the time of all games."""

    def __init__(self, games: Games) -> None:
        """Take the games, and with them what time it is."""
        self._games = games
        self._credited = 0
        self._waiting: deque[str] = deque()
        self._aside: dict[str, int] = {}
        self._tried_again = games.now()

    def round(self) -> bool:
        """Make one round, and return whether there may be more to do at once. Raises: StoreError."""
        games, now, ends = self._games, self._games.now(), time.monotonic() + BUDGET
        aside, seen = len(self._aside), games.store.presence.seen()
        self._find_games(seen)
        while self._waiting and time.monotonic() < ends:
            self._whatever_happens(self._waiting.popleft(), give_credit)
        # While another part is silent nobody's time is over, and what else is due can wait until it is back.
        due = [] if seen.silent(now) else games.store.alarms.due(now, MOST + len(self._aside))
        written = 0
        for game_id in due if time.monotonic() < ends else ():
            written += self._keep(game_id)
            if time.monotonic() > ends:
                break
        self._try_again(now)
        # Said last: a round that was not finished is none.
        ended = games.store.presence.beat(CLOCK, now)
        moved_on = written > 0 or len(self._aside) > aside
        return bool(self._waiting) or ended or (moved_on and len(due) >= MOST)

    def _find_games(self, seen: Seen) -> None:
        """Have credit given to every game whose clock runs, when an outage has ended."""
        if seen.outages and seen.outages[-1].until > self._credited:
            self._credited = seen.outages[-1].until
            self._waiting.extend(self._games.store.alarms.all())

    def _keep(self, game_id: str) -> int:
        """Write everything that is due in a game, one commit after the other, and return how many there were."""
        written = 0
        while self._whatever_happens(game_id, keep_time):
            written += 1
        return written

    def _whatever_happens(self, game_id: str, work: Callable[[Games, str], bool]) -> bool:
        """Do something for a game; whatever is wrong with it, the others need not wait. Raises: StoreUnavailable."""
        if self._aside.get(game_id, 0) > self._games.now():
            return False
        try:
            done = work(self._games, game_id)
        except StoreForbids as error:
            _logger.warning("cannot update the clock of game %s, retrying soon: %s", game_id, error)
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
        """Leave a game alone for a while, and say so. Raises: StoreUnavailable."""
        now = self._games.now()
        if game_id not in self._aside:
            ours = not isinstance(error, StoreError | Problem)
            _logger.critical("cannot update the clock of game %s: %s", game_id, error, exc_info=error if ours else None)
        self._aside[game_id] = now + RARELY
        self._games.store.set_aside.note(game_id, error, now)
        try:
            self._games.store.alarms.set_aside(game_id, now, now + RARELY)
        except StoreUnavailable:
            raise
        except StoreError:
            _logger.exception("cannot postpone game %s", game_id)

    def _take_up(self, game_id: str) -> None:
        """Say that a game is no longer set aside. Raises: StoreUnavailable."""
        _logger.warning("the clock of game %s works again", game_id)
        with contextlib.suppress(DamagedData):
            self._games.store.set_aside.forget(game_id)

    def _try_again(self, now: int) -> None:
        """Try now and then whether games can be played on that somebody has set aside. Raises: StoreUnavailable."""
        if now - self._tried_again < RARELY:
            return
        self._tried_again = now
        with contextlib.suppress(DamagedData):
            for game_id, _, _ in self._games.store.set_aside.first(MOST)[0]:
                self._aside.setdefault(game_id, now)
                self._whatever_happens(game_id, keep_time)
