"""The clock: finds bots that should have acted, and sends the hints that are missing; beside it the timekeeper works.

A hint is lost with its job, its worker or the whole queue; the index of what is due is not, for it is written with the
log. So the clock needs no memory: what it remembers only keeps it from asking for the same turn all the time.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import redis

from ..config import Config
from ..games.repository import Games
from ..hints.fair import UNKNOWN, Hint
from ..hints.queue import CLOCK, Hints, Turn
from ..store import Store
from ..store.errors import DamagedData, StoreUnavailable
from ..store.keys import is_player_id
from ..timekeeping.rounds import Timekeeper
from .duties import Duty, perform

PAUSE = 1.0
"""Seconds between two rounds."""
GRACE = 2_000
"""Milliseconds that a bot has to act before the clock asks: its hint was sent with the move before."""
PATIENCE = 2_000
"""Milliseconds between two hints for the same turn.

A turn is asked for every few seconds for ever, for its worker may die again and again. Where a job says that it could
do nothing, the queue remembers that for a minute, and meanwhile the turn is not asked for.
"""
BEAT = 10
"""Seconds after which a clock that says nothing is taken for dead."""

Memory = Mapping[Turn, int]
"""When a hint was sent last, by this clock (ms), for the turns that are overdue."""


def missing(overdue: Iterable[Turn], cared_for: Set[Turn], memory: Memory, now: int) -> tuple[list[Turn], Memory]:
    """Return the turns that need a hint now, and what is remembered of those that are overdue.

    A turn needs a hint when none waits for it and the last one is some time past: it was lost, or a worker has it. A
    turn for which a job has just failed is cared for like one whose hint waits.

    >>> missing([("g", 5)], set(), {}, 9_000)
    ([('g', 5)], {('g', 5): 9000})
    >>> missing([("g", 5)], {("g", 5)}, {}, 9_000)
    ([], {})
    """
    wanted: list[Turn] = []
    sent: dict[Turn, int] = {}
    for turn in overdue:
        last = memory.get(turn)
        if turn not in cared_for and (last is None or now - last >= PATIENCE):
            wanted.append(turn)
            last = now
        if last is not None:
            sent[turn] = last
    return wanted, sent


def run(config: Config) -> None:
    """Watch until SIGTERM or SIGINT."""
    stop = threading.Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: stop.set())
    store, hints = Store(config), Hints(config)
    # Two duties: neither a lost queue nor many timeouts at once may keep the other waiting.
    perform([keeping_time(Games(store, hints)), hinting(store, hints)], stop)
    store.close()
    hints.close()


def keeping_time(games: Games, pause: float = PAUSE) -> Duty:
    """Return the duty of keeping the time of all games."""
    return Duty("timekeeping", Timekeeper(games).round, pause)


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
    waiting = {(hint.game, hint.due) for hint in hints.waiting()}
    wanted, memory = missing(overdue, waiting | hints.failed(overdue), memory, now)
    if wanted:
        hints.put(hints_for(store, wanted))
    # Said last: a round that was not finished is none.
    hints.beat(CLOCK, BEAT)
    return memory


def hints_for(store: Store, turns: Sequence[Turn]) -> list[Hint]:
    """Return the hints for some turns, with what lists show of their games; one round trip. Raises: StoreUnavailable.

    A game of which nothing can be read is taken for one of an unknown owner that a person waits for.
    """
    try:
        summaries = store.lists.summaries(game for game, _ in turns)
    except DamagedData:
        summaries = {}
    return [_hint_for(turn, summaries.get(turn[0], {})) for turn in turns]


def _hint_for(turn: Turn, summary: Mapping[str, Any]) -> Hint:
    try:
        people = any(seat["player"] is not None and seat["bot"] is None for seat in summary["seated"])
        owner = summary["owner"] if is_player_id(summary["owner"]) else UNKNOWN
        return Hint(*turn, owner, people=people)
    except (KeyError, TypeError):
        return Hint(*turn)
