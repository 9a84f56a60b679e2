"""The deliverer: reads what happened, plans who is told of it, and sends it.

It waits for endpoints most of the time, and for many at once: so it is one event loop, beside which a few threads talk
to the store. Several of these processes share the shards among those that are at work; whatever one leaves undone,
another one does. Nothing that is kept depends on their agreeing.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import random
import secrets
import signal
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

import redis

from ..config import Config
from ..games.repository import Games
from ..hints.queue import DELIVER, Hints
from ..problems import Problem
from ..store import Store
from ..store.deliveries import First, Lane, Outcome
from ..store.errors import StoreError, StoreForbids, StoreUnavailable
from ..store.keys import SHARDS, shard_of_webhook
from ..webhooks import delivering, planning, reconciling
from ..webhooks.replays import Replays
from ..webhooks.retry_schedule import DISABLE_AFTER
from ..webhooks.sending import Sender
from .duties import Rounds, guard

T = TypeVar("T")

PAUSE = 0.25
"""Seconds between two rounds when nothing is announced: as long as a delivery that must be tried again may be late."""
BELIEVED = 3_000
"""Milliseconds after which a process that says nothing has no shards and no lanes any more."""
BEAT = 1.0
"""Seconds between two times of saying it."""
HEALTHY = 10
"""Seconds after which the health report takes a deliverer that says nothing for dead."""
AT_ONCE = 2
"""Requests at once to an endpoint."""
OPEN, OPEN_TO_ILL = 500, 100
"""Requests at once to all of them, and to all whose last answer was none: these cannot use up what the others need."""
LANES = 1_000
"""Lanes at once of a shard; the endpoints of one player can use up no other's."""
THREADS = 8
LONGEST_PAUSE = 10.0
"""Seconds between two attempts at the same step of a delivery, at most, while the store does not work."""
DAMAGED = 60.0
"""Seconds for which a lane is left alone of which something that is stored cannot be read."""
RECONCILE = 600.0
"""Seconds between two times of holding against the logs what was planned."""
ENDING = 2.0
"""Seconds that requests which have been sent are given to end when the process is told to."""

OUTAGES = (StoreUnavailable, redis.RedisError)
"""What says that a server is out of reach or refuses."""

_logger = logging.getLogger(__name__)


def shards_of(process: str, working: Iterable[str]) -> list[int]:
    """Return the shards of a process, among those that are at work; each shard is exactly one's.

    The highest hash has it (rendezvous hashing): where a process comes or goes, only its own shards change hands.

    >>> sorted(shards_of("a", "ab") + shards_of("b", "ab")) == list(range(64))
    True
    """
    at_work = sorted({process, *working})
    return [shard for shard in range(SHARDS) if max(at_work, key=lambda name: _weight(name, shard)) == process]


def _weight(process: str, shard: int) -> bytes:
    return hashlib.sha256(f"{process} {shard}".encode()).digest()


def run(config: Config) -> None:
    """Deliver until SIGTERM or SIGINT."""
    store = Store(config)
    games = Games(store, Hints(config), networks=config.webhook_networks)
    try:
        asyncio.run(_run(games))
    finally:
        store.close()
        games.hints.close()


async def _run(games: Games) -> None:
    stop = asyncio.Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(signum, stop.set)
    await deliver(games, stop)


async def deliver(games: Games, stop: asyncio.Event) -> None:
    """Deliver until `stop` is set; a server that is lost is met again in a later round."""
    with ThreadPoolExecutor(THREADS, thread_name_prefix="deliver") as threads:
        async with Sender(games.networks) as sender:
            await Deliverer(games, sender, threads).run(stop)


@dataclass
class Deliverer:
    """One process that delivers."""

    games: Games
    sender: Sender
    threads: ThreadPoolExecutor
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    chance: Callable[[], float] = random.random
    replays: Replays = field(default_factory=Replays)

    def __post_init__(self) -> None:
        """Begin with nothing to do."""
        self._news = asyncio.Event()
        self._lanes: dict[Lane, asyncio.Task[None] | None] = {}
        self._crowds: defaultdict[str, deque[Lane]] = defaultdict(deque)
        self._busy: Counter[str] = Counter()
        self._gates: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._open, self._open_to_ill = asyncio.Semaphore(OPEN), asyncio.Semaphore(OPEN_TO_ILL)
        self._working: Sequence[str] = ()
        self._thorough = 0.0
        self._rounds = Rounds("delivering", PAUSE, outages=OUTAGES)
        self._beats = Rounds("reporting the presence of the deliverer", BEAT, outages=OUTAGES)
        self._reports = Rounds("reporting the health of the deliverer", BEAT, outages=OUTAGES)
        self._reconciles = Rounds("reconciling deliveries with the logs", BEAT, outages=OUTAGES)

    async def run(self, stop: asyncio.Event) -> None:
        """Make round after round."""
        loop = asyncio.get_running_loop()
        self.games.store.waits.subscribe(partial(_told, loop, self._news))
        beside = [loop.create_task(self._say()), loop.create_task(self._reconcile())]
        ending = loop.create_task(stop.wait())
        ending.add_done_callback(lambda _: self._news.set())
        ended = threading.Event()
        guarded = ([self._rounds, self._beats], ended)
        threading.Thread(target=guard, args=guarded, name="guard", daemon=True).start()
        try:
            while not stop.is_set():
                self._news.clear()
                # Until somebody is known to be at work nobody knows which shards are whose: that is no round.
                rest, more = await self._carefully(self._rounds, self._round) if self._working else (PAUSE, False)
                if not more:
                    await self._wait(rest)
        finally:
            ended.set()
            for task in beside:
                task.cancel()
        await self._end()

    async def _carefully(self, rounds: Rounds, step: Callable[[], Awaitable[bool]]) -> tuple[float, bool]:
        """Return how long to rest after a step (s), and what it returns; False where it failed, whatever happened."""
        try:
            more = await step()
        except Exception as error:
            if isinstance(error, OUTAGES):
                self._rounds.blocked()
            return rounds.failed(error), False
        rounds.succeeded()
        return rounds.pause, more

    async def _say(self) -> None:
        """Say from time to time that this process is at work, and learn who else is; not in the threads that work."""
        reported = 0.0
        while True:
            await self._carefully(self._beats, self._beat)
            finished = self._rounds.finished
            if finished > reported and self._working:
                await self._carefully(self._reports, self._report)
                reported = finished
            await asyncio.sleep(BEAT)

    async def _beat(self) -> bool:
        known, beat = self._working, self.games.store.deliveries.beat
        self._working = await asyncio.to_thread(beat, self.name, BELIEVED)
        if known != self._working:
            self._news.set()
        return True

    async def _report(self) -> bool:
        """Report that a round was finished."""
        await asyncio.to_thread(self.games.hints.beat, DELIVER, HEALTHY)
        return True

    async def _reconcile(self) -> None:
        """Hold against the logs what was planned, at the start and now and then; not in the threads that work."""
        while True:
            rest, done = await self._carefully(self._reconciles, self._reconcile_once)
            await asyncio.sleep(RECONCILE if done else rest)

    async def _reconcile_once(self) -> bool:
        for shard in shards_of(self.name, self._working) if self._working else ():
            await asyncio.to_thread(planning.plan_isolated, reconciling.reconcile, self.games, shard)
        return bool(self._working)

    async def _round(self) -> bool:
        """Plan what has happened, begin what is to be tried, and return whether there is more to plan."""
        shards = shards_of(self.name, self._working)
        # Not in the threads of the lanes: these may all be waiting for the store.
        more = await asyncio.to_thread(planning.plan, self.games, shards)
        # A lane that is let go while the store is asked may be told here all the same: the next round knows.
        held = set(self._lanes)
        for lane in await self._take(shards):
            if lane not in held:
                self._lanes[lane] = None
                self._crowds[lane.webhook].append(lane)
                self._begin(lane.webhook)
        return more

    async def _take(self, shards: Sequence[int]) -> list[Lane]:
        """Take what is to be tried; from time to time, look also for what others or a lost answer have left."""
        now = asyncio.get_running_loop().time()
        thoroughly = now - self._thorough >= BEAT
        holding = Counter(shard_of_webhook(lane.webhook) for lane in self._lanes)
        room = {shard: max(LANES - holding[shard], 0) for shard in shards}
        take = partial(self.games.store.deliveries.take, thoroughly=thoroughly)
        lanes = await asyncio.to_thread(take, self.name, self._working, room)
        if thoroughly:
            self._thorough = now
        return lanes

    def _begin(self, webhook: str) -> None:
        """Begin as many lanes of a webhook as may be tried at once; the others wait their turn here."""
        crowd = self._crowds[webhook]
        while crowd and self._busy[webhook] < AT_ONCE:
            lane = crowd.popleft()
            task = asyncio.get_running_loop().create_task(self._lane(lane))
            self._lanes[lane] = task
            self._busy[webhook] += 1
            task.add_done_callback(partial(self._ended, lane))
        if not crowd:
            del self._crowds[webhook]

    def _ended(self, lane: Lane, task: asyncio.Task[None]) -> None:
        fault = None if task.cancelled() else task.exception()
        if fault is None:
            del self._lanes[lane]
        else:
            # It stays here for a while, or it would be taken again at once.
            _logger.error(
                "deliveries of game %s to webhook %s are suspended for a while", lane.game, lane.webhook, exc_info=fault
            )
            self._lanes[lane] = None
            asyncio.get_running_loop().call_later(DAMAGED, self._lanes.pop, lane, None)
        self._busy[lane.webhook] -= 1
        if not self._busy[lane.webhook]:
            del self._busy[lane.webhook]
        if not task.cancelled():
            self._begin(lane.webhook)

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass

    async def _end(self) -> None:
        """Leave what is not done to others, or to the next start."""
        self._crowds.clear()
        tasks = [task for task in self._lanes.values() if task is not None]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=ENDING)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        try:
            await self._ask(self.games.store.deliveries.beat, self.name, 0)
        except StoreError as error:
            _logger.warning("cannot report that this deliverer has stopped; the others will notice: %s", error)

    async def _lane(self, lane: Lane) -> None:
        """Try what waits in a lane, one after the other, until nothing does or it must wait."""
        while await self._next(lane):
            pass

    async def _next(self, lane: Lane) -> bool:
        """Try the first delivery of a lane, and return whether the lane goes on."""
        store = self.games.store.deliveries
        first = await self._surely(store.first, lane)
        outcome = await self._outcome(lane, first)
        return outcome is None or await self._surely(store.settle, lane, self.name, outcome, DISABLE_AFTER)

    async def _outcome(self, lane: Lane, first: First) -> Outcome | None:
        """Try a delivery when its endpoint has few enough requests; None where its webhook has changed meanwhile."""
        if first.webhook is None or first.delivery is None:
            return Outcome({})
        gate = self._gates.setdefault(first.webhook.url, asyncio.Semaphore(AT_ONCE))
        room = self._open if first.webhook.failing is None else self._open_to_ill
        waits = gate.locked() or room.locked()
        async with gate, room:
            if waits:
                url = first.webhook.url
                first = await self._surely(self.games.store.deliveries.first, lane)
                if first.webhook is None or first.webhook.url != url:
                    return None
            return await self._tried(first)

    async def _tried(self, first: First) -> Outcome:
        try:
            message = await self._surely(delivering.prepare, self.games, self.replays, first)
            if isinstance(message, Outcome):
                return message
            result = await self.sender.post(message.webhook.url, message.headers(self.games.now()), message.body)
            return await self._surely(delivering.conclude, self.games, message, result, self.chance)
        except StoreForbids:
            raise
        except Exception:
            if first.delivery is None:
                raise
            _logger.exception("delivery %s failed because of an error in this service", first.delivery["number"])
            return delivering.internal_failure(first.delivery, self.games.now(), self.chance)

    async def _surely(self, function: Callable[..., T], *args: object) -> T:
        """Return what a function returns that talks to the store, however long the store does not work.

        Only this step is made again: what was sent is not sent again because it could not be written down. The lane
        is still this process's, also when its shard is no longer. What the store forbids for a minute it may forbid for
        this lane alone, which then is left to a later time. Raises: StoreForbids.
        """
        rest, began = BEAT, time.monotonic()
        while True:
            try:
                return await self._ask(function, *args)
            except (StoreUnavailable, Problem, redis.RedisError) as error:
                if isinstance(error, Problem) and error.code != "busy":
                    raise
                self._rounds.blocked()
                if isinstance(error, StoreForbids) and time.monotonic() - began > DAMAGED:
                    raise
                if rest == BEAT:
                    _logger.warning("a step of a delivery failed and will be retried: %s", error)
                await asyncio.sleep(rest)
                rest = min(2 * rest, LONGEST_PAUSE)

    async def _ask(self, function: Callable[..., T], *args: object) -> T:
        """Return what a function that talks to the store returns, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, function, *args)


def _told(loop: asyncio.AbstractEventLoop, news: asyncio.Event, _: object) -> None:
    """Say in another thread that there is news, while anybody listens."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(news.set)
