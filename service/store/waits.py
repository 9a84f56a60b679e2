"""Waits: requests wait, without polling, for the next commit of a game, or for the next commit that concerns a player.

In each process, one thread, the listener, reads the channel on which every append is announced. For each append, the
listener wakes the requests that wait for the game or for one of its players, and calls the functions that have
subscribed to all announcements. If the listener's connection breaks, announcements can be lost. A waiting request
therefore also checks the data every few seconds, and whenever the listener has connected.

Each waiting request takes one of `MAX_WAITS` places (`config`), some of which are reserved for callers with a token. If
no place is free, the request is refused.
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
from .keys import RENAMED, WAKES

RECHECK = 5.0
"""The maximum delay that a lost announcement causes, in seconds."""
POLL = 0.25
"""How often the listener checks whether it should end, in seconds."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds before the listener connects again. The pause doubles each time."""
RESERVED = 4
"""One place in every `RESERVED` is reserved for callers with a token."""

_logger = logging.getLogger(__name__)


class Places:
    """Limits how many requests may wait in a process at the same time.

    Some places are reserved for callers with a token.
    """

    def __init__(self, limit: int) -> None:
        """Start with `limit` free places."""
        self._limit = limit
        self._for_anonymous = limit - limit // RESERVED
        self._counts = {False: 0, True: 0}
        self._lock = threading.Lock()

    def take(self, *, with_token: bool) -> None:
        """Take a place for a caller. `with_token` says whether the caller sent a valid token. Raises: TooManyWaits."""
        with self._lock:
            count = sum(self._counts.values())
            if count >= self._limit or not (with_token or self._counts[False] < self._for_anonymous):
                raise TooManyWaits(f"{count} requests are already waiting in this process")
            self._counts[with_token] += 1

    def give_back(self, *, with_token: bool) -> None:
        """Release a place. `with_token` must have the same value as in the call to `take`."""
        with self._lock:
            self._counts[with_token] -= 1


class Waiter:
    """One waiting request, which checks its topic before each wait."""

    def __init__(self, stop: threading.Event) -> None:
        """Create a waiter that stops waiting when the event `stop` is set, which means that the process is ending."""
        self._stop = stop
        self._wakeup = threading.Event()

    def wake(self) -> None:
        """End the current wait, or the next one if no wait is in progress."""
        self._wakeup.set()

    def wait(self, seconds: float) -> bool:
        """Wait until the waiter is woken, for at most `seconds`. Return False if the process is ending."""
        if not self._stop.is_set():
            self._wakeup.wait(seconds)
        # The event is cleared before the caller's next check, so an announcement after that check is not missed.
        self._wakeup.clear()
        return not self._stop.is_set()


class Waits:
    """The waiting requests of this process, and the thread that wakes them."""

    def __init__(
        self, server: Server, limit: int, renamed: Callable[[Sequence[str]], None], recheck: float = RECHECK
    ) -> None:
        """Listen to this server.

        `limit` is the number of places. Waiting requests check the data every `recheck` seconds. The listener's thread
        calls `renamed` with the players whose names have changed, so this function must not block.
        """
        self._server = server
        self._renamed = renamed
        self.recheck = recheck
        self.places = Places(limit)
        self._lock = threading.Lock()
        self._waiters: defaultdict[str, set[Waiter]] = defaultdict(set)
        self._thread: threading.Thread | None = None
        self._connection: Any = None
        self._stop = threading.Event()
        self._callbacks: list[Callable[[Sequence[str] | None], None]] = []

    def subscribe(self, callback: Callable[[Sequence[str] | None], None]) -> None:
        """Call `callback` with the game and players of every commit, or with None if announcements may have been lost.

        The listener's thread makes the call, so the callback must not block.
        """
        self._callbacks.append(callback)
        self._listen()

    @contextmanager
    def waiter(self, topic: str, *, with_token: bool = False) -> Iterator[Waiter]:
        """Take a place, and yield a waiter for a topic, which is the id of a game or a player. Raises: TooManyWaits."""
        self.places.take(with_token=with_token)
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
            self.places.give_back(with_token=with_token)

    def close(self) -> None:
        """Stop the listener. Current and later waits end immediately."""
        self._stop.set()
        self._wake_all()
        if self._thread is not None:
            if self._connection is not None:
                # Disconnect, so that the listener need not finish its poll.
                self._connection.disconnect()
            self._thread.join(timeout=4 * POLL)

    def _listen(self) -> None:
        """Start the listener unless it is running.

        A forked process starts its own listener, even if its parent had one.
        """
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="wakes", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._stop.is_set():
            try:
                for _ in self._messages():
                    pause = FIRST_PAUSE
            except (redis.RedisError, StoreError, OSError) as error:
                if self._stop.is_set():
                    break
                _logger.warning("will retry in %.1f s, because listening for announcements failed: %s", pause, error)
            except Exception:
                if self._stop.is_set():
                    break
                # Without the listener, waiting requests would check only every few seconds until the process ends.
                _logger.exception("cannot listen for announcements; retrying in %.1f s", pause)
            else:
                continue
            self._stop.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _messages(self) -> Iterator[None]:
        """Listen until the process ends or a new listener is needed. Yield after every message."""
        listener, is_stale = self._server.listen()
        with listener as channel:
            channel.subscribe(WAKES)
            # Read from the connection directly: this loop runs for every commit of every game, and `get_message` costs
            # several times as much.
            connection: Any = channel.connection
            self._connection = connection
            while not self._stop.is_set() and not is_stale():
                try:
                    kind, _, text = connection.read_response(disconnect_on_error=False, timeout=POLL)
                except redis.TimeoutError:
                    continue
                if kind == b"message":
                    game, _, *players = text.decode(errors="replace").split(" ")
                    if game == RENAMED:
                        self._renamed(players)
                    else:
                        self._wake([game, *players])
                else:
                    self._wake_all()
                yield

    def _wake(self, topics: Sequence[str]) -> None:
        for callback in self._callbacks:
            callback(topics)
        with self._lock:
            for topic in topics:
                for waiter in self._waiters.get(topic, ()):
                    waiter.wake()

    def _wake_all(self) -> None:
        for callback in self._callbacks:
            callback(None)
        with self._lock:
            for waiters in self._waiters.values():
                for waiter in waiters:
                    waiter.wake()
