"""The clock process: finds turns that bots should have played by now, resends lost hints, and runs the timekeeper.

A hint can be lost together with its job, its worker or the whole queue. The index of due turns cannot be lost, because
it is written with the log. The clock process therefore stores nothing, and only remembers which hints it sent recently.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import redis

from engine.bots import BOTS

from ..config import Config
from ..games.repository import Games
from ..hints.fair import UNKNOWN, Hint
from ..hints.queue import CLOCK, Hints, Turn
from ..metrics.table import HINTS
from ..store import Store
from ..store.errors import DamagedData, StoreUnavailable
from ..store.keys import is_player_id
from ..store.lists import Rows
from ..tables.rounds import Tables
from ..timekeeping.rounds import Timekeeper
from .duties import Duty, perform
from .reporting import reporting

PAUSE = 1.0
"""Seconds between two rounds."""
TABLES_PAUSE = 10.0
"""Seconds between two rounds of checking the tables that are waiting for players."""
GRACE = 2_000
"""How long, in ms, a turn must have been due before the clock sends another hint for the turn."""
PATIENCE = 2_000
"""Milliseconds between two hints for the same turn.

The number of hints for a turn is not limited, because any number of workers may die before one makes the move. If a job
reports that it could not make the move, the clock sends no hint for that turn for a minute.
"""
BEAT = 10
"""Seconds without a heartbeat after which a clock counts as dead."""

Memory = Mapping[Turn, int]
"""For each overdue turn, the time at which this clock last sent a hint, in ms."""


def missing_hints(overdue: Iterable[Turn], in_queue: Set[Turn], memory: Memory, now: int) -> tuple[list[Turn], Memory]:
    """Return the turns that need a hint now, and the updated memory, which keeps only turns that are still overdue.

    A turn needs a hint if the queue has no hint for the turn and this process has sent none in the last `PATIENCE` ms.
    Any earlier hint for such a turn was either lost or taken by a worker. A turn whose job has just failed is treated
    as if its hint were in the queue.

    >>> missing_hints([("g", 5)], set(), {}, 9_000)
    ([('g', 5)], {('g', 5): 9000})
    >>> missing_hints([("g", 5)], {("g", 5)}, {}, 9_000)
    ([], {})
    """
    needed: list[Turn] = []
    last_hints: dict[Turn, int] = {}
    for turn in overdue:
        last = memory.get(turn)
        if turn not in in_queue and (last is None or now - last >= PATIENCE):
            needed.append(turn)
            last = now
        if last is not None:
            last_hints[turn] = last
    return needed, last_hints


def run(config: Config) -> None:
    """Run the clock until SIGTERM or SIGINT."""
    stop = threading.Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: stop.set())
    store, hints = Store(config), Hints(config)
    # Hints and timeouts are separate duties, so that a lost queue does not delay timeouts and many timeouts do not
    # delay hints.
    with reporting(config, CLOCK):
        games = Games(store, hints)
        perform([timekeeping_duty(games), tables_duty(games, config.open_game_days), hinting_duty(store, hints)], stop)
    store.close()
    hints.close()


def timekeeping_duty(games: Games, pause: float = PAUSE) -> Duty:
    """Return the duty that runs the timekeeper for all games."""
    return Duty("timekeeping", Timekeeper(games).round, pause)


def tables_duty(games: Games, days: int) -> Duty:
    """Return the duty that settles rematches, and cancels games that nobody has joined for `days` days."""
    return Duty("closing tables", Tables(games, days).round, TABLES_PAUSE)


def watch(store: Store, hints: Hints, stop: threading.Event, pause: float = PAUSE) -> None:
    """Send missing hints in rounds until `stop` is set."""
    hinting_duty(store, hints, pause).perform(stop)


def hinting_duty(store: Store, hints: Hints, pause: float = PAUSE) -> Duty:
    """Return the duty that sends missing hints."""
    memory: Memory = {}

    def round() -> bool:
        nonlocal memory
        memory = make_round(store, hints, memory, time.monotonic_ns() // 1_000_000)
        return False

    # All errors of the queue server count as outages. A restart would not help, because another process would get the
    # same error.
    return Duty("sending hints", round, pause, outages=(StoreUnavailable, redis.RedisError))


def make_round(store: Store, hints: Hints, memory: Memory, now: int) -> Memory:
    """Run one round: send the missing hints, and return the updated memory.

    `now` (ms, any origin) is used only to measure how long ago a hint was sent. The log server's clock determines which
    turns are overdue, because the due times come from the same clock.

    Raises: StoreUnavailable, redis.RedisError.
    """
    # While the store is read-only, no job can make a move, so no hints are needed.
    overdue = [] if store.presence.read().read_only else store.due.overdue(GRACE)
    waiting = {(hint.game, hint.due) for hint in hints.waiting() if not hint.advice}
    needed, memory = missing_hints(overdue, waiting | hints.failed(overdue), memory, now)
    if needed:
        hints.put(hints_for(store, needed))
        HINTS.add("resent", amount=len(needed))
    # Record the heartbeat last, because only a finished round counts.
    hints.beat(CLOCK, BEAT)
    return memory


def hints_for(store: Store, turns: Sequence[Turn]) -> list[Hint]:
    """Return the hints for these turns. Takes one round trip. Raises: StoreUnavailable.

    If a game's summary cannot be read, assume that people play in the game and that the game's owner is unknown.
    """
    try:
        rows = store.lists.rows(game for game, _ in turns)
    except DamagedData:
        rows = {}
    return [_hint_for(turn, rows.get(turn[0])) for turn in turns]


def _hint_for(turn: Turn, rows: Rows | None) -> Hint:
    summary: Mapping[str, Any] = rows.summary or {} if rows is not None else {}
    try:
        people = any(seat["player"] is not None and seat["bot"] is None for seat in summary["seated"])
        owner = summary["owner"] if is_player_id(summary["owner"]) else UNKNOWN
        return Hint(*turn, owner, people=people, searches=_search_to_act(rows))
    except (LookupError, TypeError):
        return Hint(*turn)


def _search_to_act(rows: Rows | None) -> bool:
    """Return whether a game is waiting for a search bot, according to the game's entry in lists.

    If the entry is out of date, the wrong kind of worker gets the hint, and passes it on. Raises: LookupError or
    TypeError if the entry cannot be read.
    """
    if rows is None or rows.summary is None or rows.progress is None or rows.progress["turn"] is None:
        return False
    bot = BOTS.get(rows.summary["seated"][rows.progress["turn"]["seat"]]["bot"])
    return bot is not None and bot.searches
