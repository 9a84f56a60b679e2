"""Waiters: the parked requests and streams of one process. Each waiter is a future in the loop, not a thread.

Each announcement of a commit wakes the waiters for its game and for the game's players. A commit may be announced after
a request has read the topic, but before the request is parked. The process therefore remembers announcements for some
time, so that no request misses one. Announcements can also be lost in transit, so the process regularly checks the
current position of every topic that a request is waiting for.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from ..parking import Chunk, StreamBody
from .announcements import Announcements

MEMORY_SECONDS = 120.0
"""The minimum number of seconds for which announcements are remembered. A request is always parked sooner, so it learns
of everything that was announced while it ran."""
CHECK_LIMIT = 256
"""The maximum number of topics whose positions are read in one call. The number is low because a player's feed has 64
parts."""
AT_ONCE = 256
"""The number of streams that receive a chunk in one iteration of the loop. Other work runs between iterations."""

_logger = logging.getLogger(__name__)

Positions = Callable[[Sequence[str]], Sequence[int]]
"""A function that returns the current position of each topic: the number of a game's commits, or of a feed's entries.
"""


class _Waiter:
    """A parked request or a stream.

    `position` is the position up to which the waiter has seen its topic, or None if that position is unknown.
    """

    __slots__ = ("future", "position")

    def __init__(self, future: asyncio.Future[bool], position: int | None) -> None:
        self.future = future
        self.position = position

    def wake(self) -> None:
        if not self.future.done():
            self.future.set_result(True)


class Waiters:
    """The parked requests of a process, and the streams that have something to send."""

    def __init__(self, loop: asyncio.AbstractEventLoop, positions: Positions, recheck: float) -> None:
        """Call `positions` to read the positions of topics, and check these positions every `recheck` seconds."""
        self.closed = False
        self.now = 0
        """The number of announcements that have been handled so far."""
        self.announcements = Announcements(loop)
        self._loop = loop
        self._positions = positions
        self._recheck = recheck
        self._waiters: defaultdict[str, set[_Waiter]] = defaultdict(set)
        self._announced_at: dict[str, int] = {}
        self._announced_before: dict[str, int] = {}
        self._all_announced_at = 0
        self._requests: dict[str, list[tuple[StreamBody, asyncio.Future[Chunk]]]] = {}
        self._stream_thread = ThreadPoolExecutor(1, thread_name_prefix="streams")
        self._tasks: set[asyncio.Task[None]] = set()
        self._check_offset = 0

    def open(self) -> None:
        """Start the regular checks of positions. Call this method once, in the event loop."""
        self._start(self._check_loop())

    def close(self) -> None:
        """Wake every waiter. From now on, new waiters return immediately. Call this method in the event loop."""
        self.closed = True
        self._wake(None)

    def note(self) -> int:
        """Return the number of announcements so far. A request gets this number before it reads a topic, and passes the
        number to `wait` when it parks.
        """
        self.announcements.read()
        return self.now

    def announce(self, topics: Sequence[str] | None) -> None:
        """Wake these topics' waiters, or all waiters if `topics` is None. Call this method in the event loop."""
        self.now += 1
        if topics is None:
            self._all_announced_at = self.now
        else:
            self._announced_at.update(dict.fromkeys(topics, self.now))
        self._wake(topics)

    async def wait(self, topic: str, since: int, seconds: float | None = None, position: int | None = None) -> bool:
        """Wait until the topic has an announcement with a number above `since`, and return True.

        Return False if the announcement does not arrive within `seconds`.
        """
        waiter = _Waiter(self._loop.create_future(), position)
        if not self._waiters:
            self.announcements.watch()
        self._waiters[topic].add(waiter)
        timer = None if seconds is None else self._loop.call_later(seconds, _time_out, waiter.future)
        try:
            return self.closed or self._was_announced(topic, since) or await waiter.future
        finally:
            if timer is not None:
                timer.cancel()
            self._waiters[topic].discard(waiter)
            if not self._waiters[topic]:
                del self._waiters[topic]
            if not self._waiters:
                self.announcements.unwatch()

    async def next_chunk(self, body: StreamBody) -> Chunk:
        """Return the next chunk of a stream.

        Streams of one topic that need a chunk at the same time are served together.
        """
        chunk: asyncio.Future[Chunk] = self._loop.create_future()
        if not self._requests:
            self._start(self._serve_streams())
        self._requests.setdefault(body.topic, []).append((body, chunk))
        return await chunk

    def _wake(self, topics: Sequence[str] | None) -> None:
        for topic in list(self._waiters) if topics is None else topics:
            for waiter in self._waiters.get(topic, ()):
                waiter.wake()

    def _was_announced(self, topic: str, since: int) -> bool:
        announced_at = max(
            self._announced_at.get(topic, 0), self._announced_before.get(topic, 0), self._all_announced_at
        )
        return announced_at > since

    async def _serve_streams(self) -> None:
        """Serve the topics in turn, so that a topic whose streams need a lot of work does not delay other topics."""
        # All streams that one announcement has woken ask for a chunk in this iteration of the loop or in the next.
        await asyncio.sleep(0)
        while self._requests:
            topic = next(iter(self._requests))
            waiting = [(body, chunk) for body, chunk in self._requests[topic] if not chunk.done()]
            most = waiting[0][0].most_together if waiting else 0
            requests, self._requests[topic] = waiting[:most], waiting[most:]
            try:
                chunks = await self._loop.run_in_executor(
                    self._stream_thread, _next_chunks, [body for body, _ in requests]
                )
            except Exception:
                _logger.exception("closing the streams of %s because of an error", topic)
                chunks = [Chunk(b"", last=True)] * len(requests)
            results = zip((chunk for _, chunk in requests), chunks, strict=True)
            while some := list(islice(results, AT_ONCE)):
                for future, chunk in some:
                    if not future.done():
                        future.set_result(chunk)
                await asyncio.sleep(0)
            if later := self._requests.pop(topic):
                self._requests[topic] = later

    async def _check_loop(self) -> None:
        rounds = max(1, round(MEMORY_SECONDS / self._recheck))
        while not self.closed:
            for _ in range(rounds):
                await asyncio.sleep(self._recheck)
                await self._check()
            self._announced_before, self._announced_at = self._announced_at, {}

    async def _check(self) -> None:
        """Wake the waiters whose topic has grown, in case an announcement was lost."""
        self.announcements.read()
        topics = list(self._waiters)
        if not topics:
            return
        first = self._check_offset % len(topics)
        some = (topics[first:] + topics[:first])[:CHECK_LIMIT]
        self._check_offset = first + len(some)
        try:
            positions = await self._loop.run_in_executor(None, self._positions, some)
        except Exception as error:
            _logger.warning(
                "cannot check waiting requests for missed commits; retrying in %.1f s: %s",
                self._recheck,
                error,
            )
            return
        for topic, position in zip(some, positions, strict=True):
            for waiter in self._waiters.get(topic, ()):
                if waiter.position is None:
                    waiter.position = position
                elif position > waiter.position:
                    waiter.wake()

    def _start(self, coroutine: asyncio._CoroutineLike[None]) -> None:
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _next_chunks(bodies: Sequence[StreamBody]) -> Sequence[Chunk]:
    return type(bodies[0]).next_chunks(bodies) if bodies else []


def _time_out(future: asyncio.Future[bool]) -> None:
    if not future.done():
        future.set_result(False)
