"""Health: what each part of the service has done lately, and whether the store may be trusted with games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..games.repository import Games
from ..hints.queue import CLOCK, DELIVER, WORKER
from ..store.durability import Readiness
from ..store.errors import StoreError
from ..store.layout import LAYOUT
from ..store.presence import CLOCK as TIMEKEEPING
from ..store.presence import WEB
from ..store.set_aside import REASONS, SetAside

__all__ = ["REASONS", "Duty", "Health", "Readiness", "check_health", "readiness"]

LATELY = 20_000
"""Milliseconds after which a finished round no longer counts, nor one so far in the future."""
SHOWN = 50
"""How many of the games that are set aside are named."""


@dataclass(frozen=True)
class Duty:
    """Something that a part of the service does round after round.

    `done_at` is when a round was last finished (ms since the epoch), None where that is not known; `up` says whether
    that was lately.
    """

    duty: str
    done_at: int | None
    up: bool


@dataclass(frozen=True)
class Layout:
    """The layout that this version works with (`supported`), and the one that the store has.

    `stored` is the earliest of all shards, None where it is not known, or nothing is stored yet. `migrating` says that
    some shard is on its way to a later one.
    """

    supported: int
    stored: int | None
    migrating: bool


@dataclass(frozen=True)
class Health:
    """How the service does: which parts are up, each duty, and what cannot be played or read.

    `problems` says in sentences why the log server is not up. `set_aside` names the first of the games that nobody can
    play on in, and `set_aside_count` says how many there are. `damaged_keys` are indexes that this process leaves out.
    """

    parts: dict[str, bool]
    duties: Sequence[Duty]
    problems: Sequence[str]
    set_aside: Sequence[SetAside]
    set_aside_count: int
    damaged_keys: Sequence[str]
    layout: Layout

    @property
    def down(self) -> list[str]:
        """The parts and the duties that are not up."""
        parts = [part for part, up in self.parts.items() if not up]
        return [*parts, *(duty.duty for duty in self.duties if not duty.up)]


_UNKNOWN = [Duty("timekeeping", None, False), Duty("presence", None, False)]
"""Of a log server that does not answer."""


def check_health(games: Games) -> Health:
    """Return how the service does; five round trips to the log server and one to the queue's, never raises."""
    found = games.store.readiness()
    beats = games.hints.beats()
    duties = [*(_of_log(games) if found.answers else _UNKNOWN), *_of_queue(beats or {})]
    up = {duty.duty: duty.up for duty in duties}
    parts = {
        "log": found.writable,
        "queue": beats is not None,
        "worker": up["bots"],
        "deliver": up["deliveries"],
        "clock": up["timekeeping"] and up["hints"],
    }
    aside, count = _aside(games) if found.answers else ([], 0)
    return Health(parts, duties, found.refusals, aside, count, games.store.damaged, _layout(games, found.answers))


def readiness(games: Games) -> Readiness:
    """Return what is known of the log server's promises; two round trips, in a cluster two to each node."""
    return games.store.readiness()


def _of_log(games: Games) -> Sequence[Duty]:
    """Return the duties that are recorded with the games, because clocks depend on them.

    That no web process has ever said that it is there keeps no clock from running.
    """
    try:
        last = games.store.presence.read().last
    except StoreError:
        return _UNKNOWN
    clock, web = last.get(TIMEKEEPING), last.get(WEB)
    return [
        Duty("timekeeping", clock, _lately(games, clock)),
        Duty("presence", web, web is None or _lately(games, web)),
    ]


def _of_queue(beats: dict[str, int | None]) -> list[Duty]:
    """Return the duties that are recorded on the queue's server, which forgets what was not done lately."""
    recorded = (("hints", CLOCK), ("deliveries", DELIVER), ("bots", WORKER))
    return [Duty(name, beats.get(who), beats.get(who) is not None) for name, who in recorded]


def _lately(games: Games, at: int | None) -> bool:
    return at is not None and abs(games.now() - at) <= LATELY


def _layout(games: Games, answers: bool) -> Layout:
    try:
        states = games.store.layouts() if answers else []
    except StoreError:
        states = []
    stored = min((state.number for state in states), default=None)
    return Layout(LAYOUT, stored, any(state.to is not None for state in states))


def _aside(games: Games) -> tuple[Sequence[SetAside], int]:
    try:
        return games.store.set_aside.first(SHOWN)
    except StoreError:
        return [], 0
