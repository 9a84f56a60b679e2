"""The lot: where those who wait are parked in the loop, each with a future and no thread.

Every announcement of a commit wakes those who wait for its game or for one of its players. Between a request's look at
what there is and its parking something may be announced: the lot remembers for a while what was, so that nobody sleeps
through it. Announcements can be lost on their way; now and then the lot asks how much there is of everything that is
waited for.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from ..parking import Chunk, StreamBody

REMEMBERED = 120.0
"""Seconds for which announcements are remembered at least: longer than any request lasts before it is parked."""
CHECKED = 256
"""Of how many topics it is asked at most, in one round, how much there is of them: a player's feed has 64 parts."""
AT_ONCE = 256
"""Streams that are given what they tell in one turn of the loop; other work comes between two turns."""

_logger = logging.getLogger(__name__)

Positions = Callable[[Sequence[str]], Sequence[int]]
"""Returns how much there is of each of some topics."""


class _Waiter:
    """Somebody who is parked; `position` is how much they know of their topic, None where that is not known."""

    __slots__ = ("position", "woken")

    def __init__(self, woken: asyncio.Future[bool], position: int | None) -> None:
        self.woken = woken
        self.position = position

    def wake(self) -> None:
        if not self.woken.done():
            self.woken.set_result(True)


class Lot:
    """Those who are parked in a process, and the streams that have something to tell."""

    def __init__(self, loop: asyncio.AbstractEventLoop, positions: Positions, recheck: float) -> None:
        """Take what tells how much there is of some topics, and the seconds between two rounds of asking for it."""
        self.closed = False
        self.now = 0
        """How many announcements there have been: a moment, for whoever looks at something now and parks later."""
        self._loop = loop
        self._positions = positions
        self._recheck = recheck
        self._waiters: defaultdict[str, set[_Waiter]] = defaultdict(set)
        self._heard: dict[str, int] = {}
        self._heard_before: dict[str, int] = {}
        self._all_heard = 0
        self._telling: dict[str, list[tuple[StreamBody, asyncio.Future[Chunk]]]] = {}
        self._teller = ThreadPoolExecutor(1, thread_name_prefix="tell")
        self._tasks: set[asyncio.Task[None]] = set()
        self._checked = 0

    def open(self) -> None:
        """Begin the rounds of asking; to be called once, in the loop."""
        self._start(self._check_again_and_again())

    def close(self) -> None:
        """Wake everybody: who parks from now on is woken at once. To be called in the loop."""
        self.closed = True
        self._wake(None)

    def announce(self, topics: Sequence[str] | None) -> None:
        """Wake those who wait for some topics, or everybody.

        One other thread may call this. Where nobody waits it only notes the topics, and the loop sleeps on.
        """
        now = self.now + 1
        if topics is None:
            self._all_heard = now
        else:
            self._heard.update(dict.fromkeys(topics, now))
        self.now = now
        if topics is None or any(topic in self._waiters for topic in topics):
            self._loop.call_soon_threadsafe(self._wake, topics)

    async def wait(self, topic: str, since: int, seconds: float | None = None, position: int | None = None) -> bool:
        """Return True as soon as a topic is announced, or was since a moment; False when so many seconds are over."""
        waiter = _Waiter(self._loop.create_future(), position)
        # First known to `announce`, then looked: a topic that is announced in between by another thread is not missed.
        self._waiters[topic].add(waiter)
        timer = None if seconds is None else self._loop.call_later(seconds, _time_out, waiter.woken)
        try:
            return self.closed or self._was_heard(topic, since) or await waiter.woken
        finally:
            if timer is not None:
                timer.cancel()
            self._waiters[topic].discard(waiter)
            if not self._waiters[topic]:
                del self._waiters[topic]

    async def tell(self, body: StreamBody) -> Chunk:
        """Return what a stream is to send next. All of one topic that ask at the same time are told in one go."""
        chunk: asyncio.Future[Chunk] = self._loop.create_future()
        if not self._telling:
            self._start(self._tell_all())
        self._telling.setdefault(body.topic, []).append((body, chunk))
        return await chunk

    def _wake(self, topics: Sequence[str] | None) -> None:
        for topic in list(self._waiters) if topics is None else topics:
            for waiter in self._waiters.get(topic, ()):
                waiter.wake()

    def _was_heard(self, topic: str, since: int) -> bool:
        heard = max(self._heard.get(topic, 0), self._heard_before.get(topic, 0), self._all_heard)
        return heard > since

    async def _tell_all(self) -> None:
        # All who were woken by the same announcement ask in this turn of the loop or in the next.
        await asyncio.sleep(0)
        while self._telling:
            topic = next(iter(self._telling))
            asked = [(body, chunk) for body, chunk in self._telling[topic] if not chunk.done()]
            self._telling[topic] = []
            try:
                chunks = await self._loop.run_in_executor(self._teller, _tell, [body for body, _ in asked])
            except Exception:
                _logger.exception("closing the streams of %s after an error", topic)
                chunks = [Chunk(b"", last=True)] * len(asked)
            told = zip((chunk for _, chunk in asked), chunks, strict=True)
            while some := list(islice(told, AT_ONCE)):
                for future, chunk in some:
                    if not future.done():
                        future.set_result(chunk)
                await asyncio.sleep(0)
            if not self._telling[topic]:
                del self._telling[topic]

    async def _check_again_and_again(self) -> None:
        turns = max(1, round(REMEMBERED / self._recheck))
        while not self.closed:
            for _ in range(turns):
                await asyncio.sleep(self._recheck)
                await self._check()
            self._heard_before, self._heard = self._heard, {}

    async def _check(self) -> None:
        """Wake those who do not know all that there is: an announcement was lost."""
        topics = list(self._waiters)
        if not topics:
            return
        first = self._checked % len(topics)
        some = (topics[first:] + topics[:first])[:CHECKED]
        self._checked = first + len(some)
        try:
            found = await self._loop.run_in_executor(None, self._positions, some)
        except Exception as error:
            _logger.warning(
                "cannot check whether there is news for waiting requests; retrying in %.1f s: %s", self._recheck, error
            )
            return
        for topic, position in zip(some, found, strict=True):
            for waiter in self._waiters.get(topic, ()):
                if waiter.position is None:
                    waiter.position = position
                elif position > waiter.position:
                    waiter.wake()

    def _start(self, coroutine: asyncio._CoroutineLike[None]) -> None:
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _tell(bodies: Sequence[StreamBody]) -> Sequence[Chunk]:
    return type(bodies[0]).next_chunks(bodies) if bodies else []


def _time_out(woken: asyncio.Future[bool]) -> None:
    if not woken.done():
        woken.set_result(False)
