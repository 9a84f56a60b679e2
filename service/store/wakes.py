"""Waiting for a game to go on, without asking all the time.

One thread a process listens to the channel on which every append is announced, and wakes who waits for that game, or
tells who follows them all. An announcement may be lost with a connection; so everybody who waits looks at the log when
the listener has (re)connected and every few seconds besides.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import redis

from .connection import Server
from .errors import StoreError, TooManyWaits
from .keys import WAKES

RECHECK = 5.0
"""Seconds that a lost announcement costs at most."""
POLL = 0.25
"""Seconds after which the listener looks whether it shall end."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds before the listener connects again, doubled each time."""

_logger = logging.getLogger(__name__)


class _Waiter:
    """Somebody who waits: `seen` is the longest log that was announced."""

    def __init__(self) -> None:
        self.woken = threading.Event()
        self.seen = 0


class Wakes:
    """Those who wait in this process, and the thread that wakes them."""

    def __init__(self, server: Server, length: Callable[[str], int], most: int, recheck: float = RECHECK) -> None:
        """Take the server, how to ask for a log's length, how many may wait, and the seconds between two looks."""
        self._server = server
        self._length = length
        self._most = most
        self._recheck = recheck
        self._slots = threading.BoundedSemaphore(most)
        self._lock = threading.Lock()
        self._waiters: defaultdict[str, set[_Waiter]] = defaultdict(set)
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._told: list[Callable[[str | None], None]] = []

    def tell(self, told: Callable[[str | None], None]) -> None:
        """Call somebody with every game that goes on, and with None when announcements may have been lost.

        The listener's own thread calls, and must not be kept waiting.
        """
        self._told.append(told)
        self._listen()

    def wait(self, game_id: str, after: int, seconds: float) -> bool:
        """Wait until a game's log is longer than `after`; False when it is not within so many seconds.

        One round trip to begin with, and one for every look at the log.

        Raises: TooManyWaits, StoreUnavailable, CorruptLog.
        """
        deadline = time.monotonic() + seconds
        with self.slot(), self._waiter(game_id) as waiter:
            while True:
                # Cleared before the look: what is announced after it leaves the event set, and ends the wait.
                waiter.woken.clear()
                if waiter.seen > after or self._length(game_id) > after:
                    return True
                left = deadline - time.monotonic()
                if left <= 0 or self._stop.is_set():
                    return False
                waiter.woken.wait(min(left, self._recheck))

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Take one of the places for those who wait. Raises: TooManyWaits when all are taken."""
        if not self._slots.acquire(blocking=False):
            raise TooManyWaits(f"{self._most} requests wait here already")
        try:
            yield
        finally:
            self._slots.release()

    def close(self) -> None:
        """End the listener; whoever waits is sent away, and so is whoever comes to wait."""
        self._stop.set()
        self._wake_all()
        if self._thread is not None:
            self._thread.join(timeout=4 * POLL)

    @contextmanager
    def _waiter(self, game_id: str) -> Iterator[_Waiter]:
        waiter = _Waiter()
        with self._lock:
            self._waiters[game_id].add(waiter)
        self._listen()
        try:
            yield waiter
        finally:
            with self._lock:
                self._waiters[game_id].discard(waiter)
                if not self._waiters[game_id]:
                    del self._waiters[game_id]

    def _listen(self) -> None:
        """Start the listener unless it runs; in a forked process it does not, whatever its parent had started."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="wakes", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._stop.is_set():
            try:
                for _ in self._heard():
                    pause = FIRST_PAUSE
            except (redis.RedisError, StoreError, OSError) as error:
                _logger.warning("not listening for wake-ups, again in %.1f s: %s", pause, error)
                self._stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _heard(self) -> Iterator[None]:
        """Listen until the connection is lost or the end has come; yield after every message."""
        with self._server.listen() as channel:
            channel.subscribe(WAKES)
            while not self._stop.is_set():
                message = channel.get_message(timeout=POLL)
                if message is None:
                    continue
                if message["type"] == "message":
                    game, seq = message["data"].decode().split(" ")
                    self._wake(game, int(seq))
                else:
                    self._wake_all()
                yield

    def _wake(self, game_id: str, seq: int) -> None:
        for told in self._told:
            told(game_id)
        with self._lock:
            for waiter in self._waiters.get(game_id, ()):
                waiter.seen = max(waiter.seen, seq)
                waiter.woken.set()

    def _wake_all(self) -> None:
        for told in self._told:
            told(None)
        with self._lock:
            for waiters in self._waiters.values():
                for waiter in waiters:
                    waiter.woken.set()
