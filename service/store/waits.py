"""Waiting for a game to go on, or for whatever concerns a player, without asking all the time.

One thread a process listens to the channel on which every append is announced, and wakes who waits for that game or for
one of its players, or tells who follows them all. An announcement may be lost with a connection; so everybody who waits
looks again when the listener has (re)connected and every few seconds besides. There are as many places for those who
wait as `MAX_WAITS` says (`config`), some of them for callers with a token; who finds none is refused.
"""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

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
RESERVED = 4
"""One place in so many is kept for callers with a token."""

_logger = logging.getLogger(__name__)


class Places:
    """The places of a process for requests that wait; some of them are kept for callers with a token."""

    def __init__(self, most: int) -> None:
        """Take how many there are."""
        self._most = most
        self._for_strangers = most - most // RESERVED
        self._taken = {False: 0, True: 0}
        self._lock = threading.Lock()

    def take(self, *, known: bool) -> None:
        """Take a place for a caller, who is known by a token or not. Raises: TooManyWaits."""
        with self._lock:
            taken = sum(self._taken.values())
            if taken >= self._most or not (known or self._taken[False] < self._for_strangers):
                raise TooManyWaits(f"{taken} requests are already waiting in this process")
            self._taken[known] += 1

    def give_back(self, *, known: bool) -> None:
        """Give back a place that was taken."""
        with self._lock:
            self._taken[known] -= 1


class Waiter:
    """Somebody who waits for a game or a player, and looks before every rest."""

    def __init__(self, stop: threading.Event) -> None:
        """Take what says that the process ends."""
        self._stop = stop
        self._woken = threading.Event()

    def wake(self) -> None:
        """End this rest, or the next one."""
        self._woken.set()

    def rest(self, seconds: float) -> bool:
        """Rest until there is something to look at or so many seconds are over; False when the process ends."""
        if not self._stop.is_set():
            self._woken.wait(seconds)
        # Cleared before the next look: what is announced after it is not slept through.
        self._woken.clear()
        return not self._stop.is_set()


class Waits:
    """Those who wait in this process, and the thread that wakes them."""

    def __init__(self, server: Server, most: int, recheck: float = RECHECK) -> None:
        """Take the server, how many may wait, and the seconds between two looks."""
        self._server = server
        self.recheck = recheck
        self.places = Places(most)
        self._lock = threading.Lock()
        self._waiters: defaultdict[str, set[Waiter]] = defaultdict(set)
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._told: list[Callable[[Sequence[str] | None], None]] = []

    def tell(self, told: Callable[[Sequence[str] | None], None]) -> None:
        """Call somebody with every game that goes on and its players, with None when announcements may have been lost.

        The listener's own thread calls, and must not be kept waiting.
        """
        self._told.append(told)
        self._listen()

    @contextmanager
    def waiter(self, topic: str, *, known: bool = False) -> Iterator[Waiter]:
        """Take a place and wait for a game or a player, by its id; `known` where a token came. Raises: TooManyWaits."""
        self.places.take(known=known)
        waiter = Waiter(self._stop)
        try:
            with self._lock:
                self._waiters[topic].add(waiter)
            self._listen()
            yield waiter
        finally:
            with self._lock:
                self._waiters[topic].discard(waiter)
                if not self._waiters[topic]:
                    del self._waiters[topic]
            self.places.give_back(known=known)

    def close(self) -> None:
        """End the listener; whoever waits is sent away, and so is whoever comes to wait."""
        self._stop.set()
        self._wake_all()
        if self._thread is not None:
            self._thread.join(timeout=4 * POLL)

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
                _logger.warning("cannot listen for wake-ups, retrying in %.1f s: %s", pause, error)
            except Exception:
                # Whoever waits would look only now and then, for as long as the process lives.
                _logger.exception("cannot listen for wake-ups, retrying in %.1f s", pause)
            else:
                continue
            self._stop.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _heard(self) -> Iterator[None]:
        """Listen until the server may be another one or the end has come; yield after every message."""
        listener, is_stale = self._server.listen()
        with listener as channel:
            channel.subscribe(WAKES)
            # Read from the connection itself: `get_message` costs several times as much, for every commit of all games.
            line: Any = channel.connection
            while not self._stop.is_set() and not is_stale():
                if not line.can_read(POLL):
                    continue
                kind, _, text = line.read_response(disconnect_on_error=False)
                if kind == b"message":
                    game, *seq_and_players = text.decode(errors="replace").split(" ")
                    self._wake([game, *seq_and_players[1:]])
                else:
                    self._wake_all()
                yield

    def _wake(self, topics: Sequence[str]) -> None:
        for told in self._told:
            told(topics)
        with self._lock:
            for topic in topics:
                for waiter in self._waiters.get(topic, ()):
                    waiter.wake()

    def _wake_all(self) -> None:
        for told in self._told:
            told(None)
        with self._lock:
            for waiters in self._waiters.values():
                for waiter in waiters:
                    waiter.wake()
