"""The clock: finds bots that should have acted, and sends the hints that are missing; beside it the timekeeper works.

A hint is lost with its job, its worker or the whole queue; the index of what is due is not, for it is written with the
log. So the clock needs no memory: what it remembers only keeps it from asking for the same turn all the time.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Mapping, Set

import redis

from . import timekeeper
from .config import Config
from .duties import Duty, perform
from .games import Games
from .jobs.queue import CLOCK, Hint, Hints
from .store import Store
from .store.errors import StoreUnavailable

PAUSE = 1.0
"""Seconds between two rounds."""
GRACE = 2_000
"""Milliseconds that a bot has to act before the clock asks: its hint was sent with the move before."""
PATIENCE = 2_000
"""Milliseconds between two hints for the same turn.

A turn is asked for every few seconds for ever: a hint costs little, and nobody can tell a game that will never go on
from one whose worker has died again and again.
"""
BEAT = 10
"""Seconds after which a clock that says nothing is taken for dead."""

Memory = Mapping[Hint, int]
"""When a hint was sent last, by this clock (ms), for the turns that are overdue."""


def missing(
    overdue: Iterable[tuple[str, int]], waiting: Set[Hint], memory: Memory, now: int
) -> tuple[list[Hint], Memory]:
    """Return the hints to send now, and what is remembered of the games that are overdue.

    A turn needs a hint when none waits for it and the last one is some time past: it was lost, or a worker has it.

    >>> missing([("g", 5)], set(), {}, 9_000)
    ([Hint(game='g', due=5)], {Hint(game='g', due=5): 9000})
    >>> missing([("g", 5)], {Hint("g", 5)}, {}, 9_000)
    ([], {})
    """
    wanted: list[Hint] = []
    sent: dict[Hint, int] = {}
    for hint in (Hint(game, due) for game, due in overdue):
        last = memory.get(hint)
        if hint not in waiting and (last is None or now - last >= PATIENCE):
            wanted.append(hint)
            last = now
        if last is not None:
            sent[hint] = last
    return wanted, sent


def run(config: Config) -> None:
    """Watch until SIGTERM or SIGINT."""
    stop = threading.Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: stop.set())
    store, hints = Store(config), Hints(config)
    # Two duties: neither a lost queue nor many timeouts at once may keep the other waiting.
    perform([timekeeper.keeping(Games(store, hints)), hinting(store, hints)], stop)
    store.close()
    hints.close()


def watch(store: Store, hints: Hints, stop: threading.Event, pause: float = PAUSE) -> None:
    """Send the hints that are missing, round after round, until `stop` is set."""
    hinting(store, hints, pause).perform(stop)


def hinting(store: Store, hints: Hints, pause: float = PAUSE) -> Duty:
    """Return the duty of sending the hints that are missing."""
    memory: Memory = {}

    def round() -> bool:
        nonlocal memory
        memory = look(store, hints, memory, time.monotonic_ns() // 1_000_000)
        return False

    # Whatever the queue's server answers, another process would be answered the same.
    return Duty("sending hints", round, pause, outages=(StoreUnavailable, redis.RedisError))


def look(store: Store, hints: Hints, memory: Memory, now: int) -> Memory:
    """Make one round: send what is missing, and return what to remember.

    `now` (ms, from whenever) tells only how long ago a hint was sent; what is overdue is told by the log server's
    clock, which also said when it became due.

    Raises: StoreUnavailable, redis.RedisError.
    """
    overdue = store.due.overdue(GRACE)
    wanted, memory = missing(overdue, hints.waiting(), memory, now) if overdue else ([], {})
    if wanted:
        hints.put(wanted)
    # Said last: a round that was not finished is none.
    hints.beat(CLOCK, BEAT)
    return memory
