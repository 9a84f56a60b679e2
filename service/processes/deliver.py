"""The `deliver` process: reads the list of appended commits, plans the deliveries to webhooks, and sends them.

A deliverer spends most of its time waiting for many endpoints. Each deliverer therefore runs one event loop, and a few
threads that use the store. The running deliverers divide the shards among themselves. If a deliverer stops before its
work is done, another deliverer takes over. Deliverers may briefly disagree about which of them has a shard. Deliveries
remain correct during such a disagreement.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import random
import secrets
import signal
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import redis

from ..config import Config
from ..games.repository import Games
from ..hints.queue import DELIVER, Hints
from ..logs import about
from ..metrics.table import DELIVERIES, DELIVERY_SECONDS, TRIES
from ..problems import Problem
from ..store import Store
from ..store.deliveries import DELIVERED, WAITING, First, Lane, Outcome
from ..store.errors import ReadOnlyMode, StoreError, StoreForbids, StoreUnavailable
from ..store.keys import SHARDS, TALK, is_game_id, shard_of_game, shard_of_webhook
from ..webhooks import delivering, invitations, planning, reconciling, talk
from ..webhooks.formats import EMAIL
from ..webhooks.mailing import Mailer
from ..webhooks.replays import Replays
from ..webhooks.retry_schedule import DISABLE_AFTER
from ..webhooks.sending import PostResult, Sender
from .duties import Rounds, guard
from .reporting import reporting
from .secret_keys import warn_without_keys

T = TypeVar("T")

NICENESS = 5
"""The increment of this process's nice value, which gives HTTP requests priority over deliveries."""
PAUSE = 0.25
"""Seconds between two complete rounds. A retry of a delivery may be late by this number of seconds."""
PRESENCE_MS = 3_000
"""Milliseconds without a heartbeat after which a process loses its shards and its lanes (queues of deliveries)."""
BEAT = 1.0
"""Seconds between two heartbeats."""
HEALTHY = 10
"""Seconds without a finished round after which the health report shows a deliverer as down."""
AT_ONCE = 2
"""The maximum number of concurrent requests to one endpoint."""
REQUESTS, REQUESTS_TO_FAILING = 500, 100
"""The maximum number of concurrent requests to endpoints that work, and the separate maximum for failing endpoints."""
LANES = 1_000
"""The maximum number of concurrent lanes of a shard, so that one player's endpoints cannot use up all lanes."""
THREADS = 8
LONGEST_PAUSE = 10.0
"""The longest pause, in seconds, before a step of a delivery is tried again while the store is down."""
DAMAGED_PAUSE = 60.0
"""Seconds for which a lane (a queue of deliveries) is suspended if its stored data cannot be read."""
RECONCILE_PAUSE = 600.0
"""Seconds between two comparisons of the planned deliveries with the logs."""
STOP_SECONDS = 2.0
"""The maximum number of seconds for open requests to finish when the process stops."""

OUTAGES = (StoreUnavailable, redis.RedisError)
"""The errors that mean that a server cannot be reached or refuses requests."""

_logger = logging.getLogger(__name__)


def shards_of(process: str, working: Iterable[str]) -> list[int]:
    """Return the shards that belong to `process`, given all `working` processes.

    Each shard belongs to exactly one process: the process with the highest hash for this shard (rendezvous hashing).
    When a process starts or ends, only the shards of that process are reassigned.

    >>> sorted(shards_of("a", "ab") + shards_of("b", "ab")) == list(range(64))
    True
    """
    at_work = sorted({process, *working})
    return [shard for shard in range(SHARDS) if max(at_work, key=lambda name: _weight(name, shard)) == process]


def _weight(process: str, shard: int) -> bytes:
    return hashlib.sha256(f"{process} {shard}".encode()).digest()


def run(config: Config) -> None:
    """Send deliveries until SIGTERM or SIGINT."""
    warn_without_keys(config)
    os.nice(NICENESS)
    store = Store(config)
    games = Games(
        store, Hints(config), networks=config.webhook_networks, public_url=config.public_url, mail=config.mail
    )
    try:
        with reporting(config, DELIVER):
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
    """Send deliveries until `stop` is set. If a server is unavailable, a later round tries again."""
    with ThreadPoolExecutor(THREADS, thread_name_prefix="deliver") as threads:
        async with Sender(games.networks) as sender, AsyncExitStack() as stack:
            mailer = None
            if games.mail is not None:
                mailer = await stack.enter_async_context(Mailer(games.mail, games.public_url))
            await Deliverer(games, sender, threads, mailer).run(stop)


@dataclass
class Deliverer:
    """One `deliver` process."""

    games: Games
    sender: Sender
    threads: ThreadPoolExecutor
    mailer: Mailer | None = None
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    chance: Callable[[], float] = random.random
    replays: Replays = field(default_factory=Replays)

    def __post_init__(self) -> None:
        """Create the initial state, with no deliveries in progress."""
        self._news = asyncio.Event()
        self._announced: set[int] = set()
        self._must_be_complete = True
        self._next_complete_round = 0.0
        self._lanes: dict[Lane, asyncio.Task[None] | None] = {}
        self._queues: defaultdict[str, deque[Lane]] = defaultdict(deque)
        self._busy: Counter[str] = Counter()
        self._gates: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._slots, self._slots_for_failing = asyncio.Semaphore(REQUESTS), asyncio.Semaphore(REQUESTS_TO_FAILING)
        self._working: Sequence[str] = ()
        self._last_thorough_take = 0.0
        self._rounds = Rounds("delivering", PAUSE, outages=OUTAGES)
        self._beats = Rounds("reporting the presence of the deliverer", BEAT, outages=OUTAGES)
        self._reports = Rounds("reporting the health of the deliverer", BEAT, outages=OUTAGES)
        self._seals = Rounds("preparing stored secrets", BEAT, outages=OUTAGES)
        self._reconciles = Rounds("reconciling deliveries with the logs", BEAT, outages=OUTAGES)

    async def run(self, stop: asyncio.Event) -> None:
        """Run rounds until `stop` is set."""
        loop = asyncio.get_running_loop()
        self.games.store.waits.subscribe(partial(self._announce, loop))
        tasks = (self._report_presence(), self._reconcile(), self._prepare_secrets())
        reporters = [loop.create_task(task) for task in tasks]
        ending = loop.create_task(stop.wait())
        ending.add_done_callback(lambda _: self._news.set())
        guard_stop = threading.Event()
        guard_arguments = ([self._rounds, self._beats], guard_stop)
        threading.Thread(target=guard, args=guard_arguments, name="guard", daemon=True).start()
        try:
            while not stop.is_set():
                self._news.clear()
                # Until the running processes are known, no process owns a shard, so there is no round.
                rest, more = await self._run_step(self._rounds, self._round) if self._working else (PAUSE, False)
                if not more:
                    due = self._next_complete_round - loop.time()
                    await self._wait(min(rest, due) if due > 0 else rest)
        finally:
            guard_stop.set()
            for task in reporters:
                task.cancel()
        await self._shut_down()

    async def _run_step(self, rounds: Rounds, step: Callable[[], Awaitable[bool]]) -> tuple[float, bool]:
        """Run a step. Return the pause after the step (in seconds) and the step's result, which is False if the step
        raised an exception.
        """
        try:
            more = await step()
        except Exception as error:
            if isinstance(error, OUTAGES):
                self._rounds.note_outage()
            return rounds.note_failure(error), False
        rounds.note_success()
        return rounds.pause, more

    async def _report_presence(self) -> None:
        """Regularly report that this process is running, and find out which other deliverers are running.

        This method does not use the lanes' `threads`, because all of them may be waiting for the store.
        """
        last_report = 0.0
        while True:
            await self._run_step(self._beats, self._beat)
            finished = self._rounds.finished
            if finished > last_report and self._working:
                await self._run_step(self._reports, self._report)
                last_report = finished
            await asyncio.sleep(BEAT)

    async def _beat(self) -> bool:
        previous, record = self._working, self.games.store.deliveries.beat
        self._working = await asyncio.to_thread(record, self.name, PRESENCE_MS)
        if previous != self._working:
            self._note_news(None)
        return True

    async def _report(self) -> bool:
        """Report that a round was finished."""
        await asyncio.to_thread(self.games.hints.beat, DELIVER, HEALTHY)
        return True

    async def _reconcile(self) -> None:
        """Compare the planned deliveries with the logs now and at intervals.

        This method does not use the lanes' `threads`, because all of them may be waiting for the store.
        """
        while True:
            rest, done = await self._run_step(self._reconciles, self._reconcile_once)
            await asyncio.sleep(RECONCILE_PAUSE if done else rest)

    async def _reconcile_once(self) -> bool:
        for shard in shards_of(self.name, self._working) if self._working else ():
            await asyncio.to_thread(planning.plan_isolated, reconciling.reconcile, self.games, shard)
        return bool(self._working)

    async def _prepare_secrets(self) -> None:
        """Encrypt all stored secrets with the current secret key, and create the key for push services.

        Several processes may call this method at the same time. The method does not use the lanes' `threads`, because
        all of them may be waiting for the store.
        """
        done = False
        while not done:
            rest, done = await self._run_step(self._seals, self._prepare_once)
            await asyncio.sleep(rest)

    async def _prepare_once(self) -> bool:
        sealing = self.games.store.sealing
        if not await asyncio.to_thread(sealing.is_done):
            changed = sum([await asyncio.to_thread(sealing.seal_shard, shard) for shard in range(SHARDS)])
            await asyncio.to_thread(sealing.note_done)
            _logger.info("all stored secrets are encrypted with the current secret key (%d just encrypted)", changed)
        await asyncio.to_thread(self.games.store.vapid.private_key)
        return True

    async def _round(self) -> bool:
        """Plan deliveries, start due deliveries, and return whether there are more deliveries to plan.

        While the store is read-only, nothing is delivered.
        """
        try:
            return await self._plan_and_take()
        except ReadOnlyMode:
            return False

    async def _plan_and_take(self) -> bool:
        """Plan deliveries and take lanes, and return whether there are more deliveries to plan.

        A complete round takes place every `PAUSE` seconds and covers all shards of this process. All other rounds cover
        only the shards with announced commits.
        """
        shards, now = shards_of(self.name, self._working), asyncio.get_running_loop().time()
        complete, self._must_be_complete = self._must_be_complete or now >= self._next_complete_round, False
        announced, self._announced = self._announced, set()
        # Planning does not use the lanes' threads, because all of these threads may be waiting for the store.
        chosen = [shard for shard in shards if complete or shard in announced]
        planned = await asyncio.to_thread(planning.plan, self.games, chosen)
        messages = await asyncio.to_thread(talk.plan, self.games, chosen)
        invited = await asyncio.to_thread(invitations.plan, self.games, chosen)
        planned = planning.Planned(
            planned.more or messages.more, planned.webhooks | messages.webhooks | invited.webhooks
        )
        with_webhooks = {shard_of_webhook(webhook) for webhook in planned.webhooks}
        # A lane that is released during this call may still be in `own_lanes`. A later round takes such a lane.
        own_lanes = set(self._lanes)
        for lane in await self._take([shard for shard in shards if complete or shard in with_webhooks], complete):
            if lane not in own_lanes:
                self._lanes[lane] = None
                self._queues[lane.webhook].append(lane)
                self._begin(lane.webhook)
        if complete:
            self._next_complete_round = now + self._rounds.pause
        self._must_be_complete |= planned.more
        return planned.more

    async def _take(self, shards: Sequence[int], complete: bool) -> list[Lane]:
        """Take the lanes (queues of deliveries) that are due.

        From time to time, also take two other kinds of lanes: lanes that other processes have abandoned, and lanes that
        the store assigned to this process in a reply that was lost.
        """
        if not shards:
            return []
        now = asyncio.get_running_loop().time()
        thoroughly = complete and now - self._last_thorough_take >= BEAT
        lane_counts = Counter(shard_of_webhook(lane.webhook) for lane in self._lanes)
        room = {shard: max(LANES - lane_counts[shard], 0) for shard in shards}
        take = partial(self.games.store.deliveries.take, thoroughly=thoroughly)
        lanes = await asyncio.to_thread(take, self.name, self._working, room)
        if thoroughly:
            self._last_thorough_take = now
        return lanes

    def _announce(self, loop: asyncio.AbstractEventLoop, topics: Sequence[str] | None) -> None:
        """Pass an announcement from the listener's thread to the loop, unless the loop has ended."""
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(self._note_news, topics)

    def _note_news(self, topics: Sequence[str] | None) -> None:
        """Wake the loop to run a round. If `topics` does not name the game that has a new commit, the round must cover
        all shards.
        """
        game = "" if topics is None else topics[0].removeprefix(TALK)
        if not is_game_id(game):
            self._must_be_complete = True
        else:
            self._announced.add(shard_of_game(game))
        self._news.set()

    def _begin(self, webhook: str) -> None:
        """Start as many of a webhook's lanes (queues of deliveries) as may run concurrently. The other lanes wait."""
        lane_queue = self._queues[webhook]
        while lane_queue and self._busy[webhook] < AT_ONCE:
            lane = lane_queue.popleft()
            task = asyncio.get_running_loop().create_task(self._lane(lane))
            self._lanes[lane] = task
            self._busy[webhook] += 1
            task.add_done_callback(partial(self._finish_lane, lane))
        if not lane_queue:
            del self._queues[webhook]

    def _finish_lane(self, lane: Lane, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is None:
            del self._lanes[lane]
        else:
            # The lane stays in `_lanes` for `DAMAGED_PAUSE` seconds. Otherwise, the process would take the lane again
            # immediately.
            _logger.error(
                "deliveries for game %s to webhook %s are temporarily suspended",
                lane.game,
                lane.webhook,
                exc_info=error,
            )
            self._lanes[lane] = None
            asyncio.get_running_loop().call_later(DAMAGED_PAUSE, self._lanes.pop, lane, None)
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

    async def _shut_down(self) -> None:
        """Stop. Other processes, or this process after its next start, continue the unfinished lanes."""
        self._queues.clear()
        tasks = [task for task in self._lanes.values() if task is not None]
        if tasks:
            _, unfinished = await asyncio.wait(tasks, timeout=STOP_SECONDS)
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*unfinished, return_exceptions=True)
        try:
            await self._ask(self.games.store.deliveries.beat, self.name, 0)
        except StoreError as error:
            _logger.warning(
                "cannot record that this deliver process has stopped (%s); other deliver processes will notice", error
            )

    async def _lane(self, lane: Lane) -> None:
        """Try the deliveries of a lane in order, until the lane is empty or must wait."""
        with about(game=lane.game if is_game_id(lane.game) else None):
            while await self._next(lane):
                pass

    async def _next(self, lane: Lane) -> bool:
        """Try the first delivery of a lane, and return whether to continue with the lane now."""
        store = self.games.store.deliveries
        first = await self._retry(store.first, lane)
        outcome = await self._outcome(lane, first)
        if outcome is None:
            return True
        continues = await self._retry(store.settle, lane, self.name, outcome, DISABLE_AFTER)
        self._count(outcome.delivery)
        return continues

    def _count(self, delivery: Mapping[str, Any]) -> None:
        """Count a delivery if it is finished."""
        status = delivery.get("status", WAITING)
        if status != WAITING:
            DELIVERIES.add(status)
        if status == DELIVERED and not delivery.get("repeated"):
            DELIVERY_SECONDS.observe((self.games.now() - delivery["at"]) / 1000)

    async def _outcome(self, lane: Lane, first: First) -> Outcome | None:
        """Wait until a request to the delivery's endpoint may begin, and then try the delivery.

        Return None if the webhook was removed, or its URL was changed, in the meantime.
        """
        if first.webhook is None or first.delivery is None:
            return Outcome({})
        gate = self._gates.setdefault(first.webhook.url, asyncio.Semaphore(AT_ONCE))
        room = self._slots if first.webhook.failing is None else self._slots_for_failing
        must_wait = gate.locked() or room.locked()
        async with gate, room:
            if must_wait:
                url = first.webhook.url
                first = await self._retry(self.games.store.deliveries.first, lane)
                if first.webhook is None or first.webhook.url != url:
                    return None
            return await self._send(first)

    async def _send(self, first: First) -> Outcome:
        try:
            request = await self._retry(delivering.prepare, self.games, self.replays, first)
            if isinstance(request, Outcome):
                return request
            reply = await self._hand_over(request)
            TRIES.add("none" if reply.status is None else f"{reply.status // 100}xx")
            return await self._retry(delivering.conclude, self.games, request, reply, self.chance)
        except StoreForbids:
            raise
        except Exception:
            if first.delivery is None:
                raise
            _logger.exception("delivery %s failed because of an error in this service", first.delivery["number"])
            return delivering.internal_failure(first.delivery, self.games.now(), self.chance)

    async def _hand_over(self, message: delivering.Message) -> PostResult:
        """Send a message once, to its endpoint or to the mail server."""
        if message.webhook.format == EMAIL:
            assert self.mailer is not None
            return await self.mailer.send(message.webhook.secrets[0][0], message.body)
        return await self.sender.post(message.webhook.url, message.headers(self.games.now()), message.body)

    async def _retry(self, function: Callable[..., T], *args: object) -> T:
        """Call a function that uses the store, and retry it while the store is down.

        Only the call is retried. For example, if a call that records the result of a request fails, the request is not
        resent. The lane stays with this process, even if the lane's shard now belongs to another process. If the store
        has denied permission for more than a minute, the lane is suspended, because the denial may apply only to this
        lane. Raises: StoreForbids.
        """
        rest, start = BEAT, time.monotonic()
        while True:
            try:
                return await self._ask(function, *args)
            except (StoreUnavailable, Problem, redis.RedisError) as error:
                if isinstance(error, Problem) and error.code != "busy":
                    raise
                self._rounds.note_outage()
                if isinstance(error, StoreForbids) and time.monotonic() - start > DAMAGED_PAUSE:
                    raise
                if rest == BEAT:
                    _logger.warning("a step of a delivery failed and will be retried: %s", error)
                await asyncio.sleep(rest)
                rest = min(2 * rest, LONGEST_PAUSE)

    async def _ask(self, function: Callable[..., T], *args: object) -> T:
        """In a thread, run a function that uses the store, and return its result.

        The log lines of the thread name the same game as the log lines of the caller.
        """
        call = partial(copy_context().run, function, *args)
        return await asyncio.get_running_loop().run_in_executor(self.threads, call)
