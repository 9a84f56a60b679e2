"""Waits: lets requests wait, without polling, for the next commit of a game, or for the next commit that concerns a
player.

Every append is announced on one channel. In each process, one thread, the listener, subscribes to the channel. For each
announcement, the process wakes the requests that wait for the game or for one of its players. The process also calls
the callbacks that were registered for all announcements. The listener reads the announcements itself, unless the
process has its own reader, such as an event loop. If the connection breaks, announcements can be lost. A waiting
request therefore also checks the data every few seconds, and each time the listener connects.

Each waiting request takes one of `MAX_WAITS` places (`config`), some of which are reserved for callers with a token. If
no place is free, the request is refused.
"""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
import ssl
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import hiredis
import redis

from .connection import Server
from .errors import StoreError, TooManyWaits
from .keys import RENAMED, WAKES

RECHECK = 5.0
"""The maximum delay that a lost announcement causes, in seconds."""
POLL = 0.25
"""Seconds between two checks of whether the listener should end."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""The first and the longest pause before the listener connects again, in seconds. The pause doubles each time."""
READ_BYTES = 64 * 1024
"""The maximum number of bytes to read from the channel at a time."""
RESERVED = 4
"""One in every `RESERVED` places is reserved for callers with a token."""

_logger = logging.getLogger(__name__)


class Places:
    """The limit on how many requests may wait in a process at the same time.

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
        """Create a waiter that stops waiting when the `stop` event is set because the process is ending."""
        self._stop = stop
        self._wakeup = threading.Event()

    def wake(self) -> None:
        """End the current wait or, if no wait is in progress, the next wait."""
        self._wakeup.set()

    def wait(self, seconds: float) -> bool:
        """Wait until the waiter is woken, for at most `seconds`. Return False if the process is ending."""
        if not self._stop.is_set():
            self._wakeup.wait(seconds)
        # The event is cleared before the caller's next check, so an announcement after that check is not missed.
        self._wakeup.clear()
        return not self._stop.is_set()


class Channel:
    """A connection on which announcements arrive. Only one thread reads it."""

    def __init__(self, connection: Any, on_message: Callable[[Sequence[Any]], None]) -> None:
        """Read from a redis-py connection that has subscribed. Every message is passed to `on_message`.

        This class reads the socket itself: redis-py's own methods take several times as long to read a message, and
        every commit of every game is announced in a message. redis-py has no public attribute for the socket.
        """
        self._socket = connection._sock
        self._socket.settimeout(0)
        self._parser = hiredis.Reader()
        self._on_message = on_message

    def fileno(self) -> int:
        """Return the file descriptor. The descriptor becomes readable when a message arrives or when the connection is
        lost.
        """
        number: int = self._socket.fileno()
        return number

    def read(self) -> None:
        """Handle all messages that have arrived, without waiting. Raises: OSError, redis.RedisError."""
        with contextlib.suppress(BlockingIOError, ssl.SSLWantReadError):
            while data := self._socket.recv(READ_BYTES):
                self._parser.feed(data)
                while (message := self._parser.gets()) is not False:
                    if isinstance(message, Exception):
                        raise redis.ResponseError(str(message))
                    self._on_message(message)
            raise ConnectionResetError("the log server has closed the connection")

    def shut_down(self) -> None:
        """End the connection. A thread that is waiting for messages notices immediately."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)


Wait = Callable[[float], None]
"""A function that waits up to the given number of seconds for messages. Raises: the error that a read has raised."""
Reader = Callable[[Channel], AbstractContextManager[Wait]]
"""A function that arranges for a channel to be read until a `with` block ends. The channel is closed after the block.
"""


@contextmanager
def read_here(channel: Channel) -> Iterator[Wait]:
    """Yield a function that waits for messages. The thread that calls the function also reads the channel."""
    with selectors.DefaultSelector() as selector:
        selector.register(channel, selectors.EVENT_READ)

        def wait(seconds: float) -> None:
            if selector.select(seconds):
                channel.read()

        yield wait


class Waits:
    """The waiting requests of this process, and the thread that listens for announcements."""

    def __init__(
        self, server: Server, limit: int, renamed: Callable[[Sequence[str]], None], recheck: float = RECHECK
    ) -> None:
        """Listen to this server.

        `limit` is the number of places. Waiting requests check the data every `recheck` seconds. The thread that reads
        announcements calls `renamed` with the players whose names have changed, so `renamed` must not block.
        """
        self._server = server
        self._renamed = renamed
        self.recheck = recheck
        self.places = Places(limit)
        self._lock = threading.Lock()
        self._waiters: defaultdict[str, set[Waiter]] = defaultdict(set)
        self._thread: threading.Thread | None = None
        self._channel: Channel | None = None
        self._stop = threading.Event()
        self._callbacks: list[Callable[[Sequence[str] | None], None]] = []
        self._reader: Reader = read_here

    def subscribe(self, callback: Callable[[Sequence[str] | None], None], reader: Reader | None = None) -> None:
        """Call `callback` with the game and players of every commit, or with None if announcements may have been lost.

        The thread that reads the announcements calls the callback, so the callback must not block. The listener's
        thread reads the announcements unless `reader` arranges for another thread to read them.
        """
        self._callbacks.append(callback)
        self._reader = reader or self._reader
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
            if self._channel is not None:
                self._channel.shut_down()
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
                _logger.warning("cannot listen for announcements; retrying in %.1f s: %s", pause, error)
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
        """Listen until the process ends or a new listener is needed. Yield after every wait for messages."""
        listener, is_stale = self._server.listen()
        with listener as subscriber:
            subscriber.subscribe(WAKES)
            self._channel = Channel(subscriber.connection, self._handle)
            with self._reader(self._channel) as wait:
                while not self._stop.is_set() and not is_stale():
                    wait(POLL)
                    yield

    def _handle(self, message: Sequence[Any]) -> None:
        """Handle a message from the channel, or the confirmation of the subscription."""
        kind, _, text = message
        if kind != b"message":
            self._wake_all()
            return
        game, _, *players = text.decode(errors="replace").split(" ")
        if game == RENAMED:
            self._renamed(players)
        else:
            self._wake([game, *players])

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
