"""The timekeeper: looks round after round at the games whose clocks have something to say, and has it written.

It needs no memory but of what it has in hand: when to look at a game stands beside the game, and so do outages. Several
of them may work at once; each timeout is written once all the same.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable

from .games import Games
from .store.errors import StoreError, StoreUnavailable
from .store.presence import Seen
from .timekeeping import give_credit, keep_time

PAUSE = 1.0
"""Seconds between two rounds."""
MOST = 50
"""How many games of a shard are looked at in one round, and to how many credit is given."""
HOUR = 3_600_000
CLOCK, WEB = "clock", "web"
"""Parts of the service that say that they are there."""

_logger = logging.getLogger(__name__)


class Timekeeper:
    """Whoever keeps the time of all games."""

    def __init__(self, games: Games) -> None:
        """Take the games, and with them what time it is."""
        self._games = games
        self._credited = 0
        self._waiting: deque[str] = deque()

    def round(self) -> bool:
        """Make one round, and return whether there may be more to do at once. Raises: StoreError."""
        games, now = self._games, self._games.now()
        games.store.presence.beat(CLOCK, now)
        seen = games.store.presence.seen()
        self._find_games(seen)
        for _ in range(min(MOST, len(self._waiting))):
            self._whatever_happens(self._waiting.popleft(), give_credit)
        # While another part is silent nobody's time is over, and what else is due can wait until it is back.
        due = [] if seen.silent(now) else games.store.looks.due(now, MOST)
        written = sum(self._keep(game_id) for game_id in due)
        return bool(self._waiting) or (written > 0 and len(due) >= MOST)

    def _find_games(self, seen: Seen) -> None:
        """Have credit given to every game whose clock runs, when an outage has ended."""
        if seen.outages and seen.outages[-1].until > self._credited:
            self._credited = seen.outages[-1].until
            self._waiting.extend(self._games.store.looks.all())

    def _keep(self, game_id: str) -> int:
        """Write everything that is due in a game, one commit after the other, and return how many there were."""
        written = 0
        while self._whatever_happens(game_id, keep_time):
            written += 1
        return written

    def _whatever_happens(self, game_id: str, work: Callable[[Games, str], bool]) -> bool:
        """Do something for a game; whatever is wrong with it, the others need not wait. Raises: StoreUnavailable."""
        try:
            return work(self._games, game_id)
        except StoreUnavailable:
            raise
        except Exception:
            _logger.exception("nobody keeps the time of game %s", game_id)
            length = self._games.store.log.length(game_id)
            self._games.store.looks.put_off(game_id, length, self._games.now() + HOUR)
            return False


def watch(games: Games, stop: threading.Event, pause: float = PAUSE) -> None:
    """Make round after round until `stop` is set; a server that is lost is met again in a later one."""
    timekeeper, lost = Timekeeper(games), False
    while not stop.is_set():
        try:
            more = timekeeper.round()
            lost = False
        except StoreError as error:
            more = False
            if not lost:
                _logger.warning("the timekeeper waits for a server: %s", error)
            lost = True
        stop.wait(0 if more else pause)


def say_present(games: Games, part: str, stop: threading.Event, pause: float = 5.0) -> None:
    """Say time and again that a part of the service is there, until `stop` is set."""
    while not stop.is_set():
        try:
            games.store.presence.beat(part, games.now())
        except StoreError as error:
            _logger.debug("nobody hears that the %s is there: %s", part, error)
        stop.wait(pause)
