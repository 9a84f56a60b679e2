"""Health: whether each part of the service has worked recently, and whether the store can keep games safely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..games.repository import Games
from ..hints.queue import CLOCK, DELIVER, THINKER, WORKER
from ..store.durability import Readiness
from ..store.errors import StoreError
from ..store.keys import is_of_private_game, is_private
from ..store.layout import LAYOUT
from ..store.presence import CLOCK as TIMEKEEPING
from ..store.presence import WEB, PresenceState
from ..store.set_aside import REASONS, SetAside

__all__ = ["REASONS", "Duty", "Health", "Readiness", "check_health", "readiness"]

RECENT_MS = 20_000
"""Milliseconds after which a finished round no longer counts as recent. A round whose recorded time is further than
this in the future does not count as recent either.
"""
SET_ASIDE_LIMIT = 50
"""The maximum number of set-aside games that the health report names."""


@dataclass(frozen=True)
class Duty:
    """A task that a part of the service repeats.

    `done_at` is the time when the task last finished (ms since the epoch), or None if unknown. `up` is true if
    `done_at` is recent.
    """

    duty: str
    done_at: int | None
    up: bool


@dataclass(frozen=True)
class Layout:
    """The layout that this version of the service supports (`supported`), and the store's layout (`stored`).

    `stored` is the earliest layout of any shard, or None if it is unknown or if nothing is stored yet. `migrating` is
    true if a shard is being migrated to a later layout.
    """

    supported: int
    stored: int | None
    migrating: bool


@dataclass(frozen=True)
class Health:
    """The service's health: its parts, its duties, the games that cannot continue, and the keys that cannot be read.

    `problems` is a list of sentences that explain why the log server is not considered up. `set_aside` names the first
    few games in which nobody can move, and `set_aside_count` is the total number of such games. `damaged_keys` contains
    the keys of indexes that this process ignores. Everybody can read the report, so it does not name private games.
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
"""The duties that are reported if the log server does not answer."""


def check_health(games: Games) -> Health:
    """Return the service's health.

    Raises no exception. Takes five round trips to the log server, and one to the queue server.
    """
    durability = games.store.readiness()
    last_done = games.hints.beats()
    duties = [*(_of_log(games) if durability.answers else _UNKNOWN), *duties_of_queue(last_done or {})]
    up = {duty.duty: duty.up for duty in duties}
    parts = {
        "log": durability.writable,
        "queue": last_done is not None,
        "worker": up["bots"],
        "thinker": up["thinking"],
        "deliver": up["deliveries"],
        "clock": up["timekeeping"] and up["hints"],
    }
    set_aside, count = _first_set_aside(games) if durability.answers else ([], 0)
    return Health(
        parts,
        duties,
        durability.refusals,
        [aside for aside in set_aside if not is_private(aside.game)],
        count,
        [key for key in games.store.damaged if not is_of_private_game(key)],
        _layout(games, durability.answers),
    )


def readiness(games: Games) -> Readiness:
    """Return what is known about the log server's durability. Takes two round trips, or two per node in a cluster."""
    return games.store.readiness()


def _of_log(games: Games) -> Sequence[Duty]:
    try:
        return duties_of_log(games.store.presence.read(), games.now())
    except StoreError:
        return _UNKNOWN


def duties_of_log(presence: PresenceState, now: int) -> list[Duty]:
    """Return the duties that are recorded on the log server.

    Clocks depend on these duties. The `presence` duty also counts as up if no web process has ever recorded its
    presence, because clocks run in that case too.
    """
    clock, web = presence.last.get(TIMEKEEPING), presence.last.get(WEB)
    return [
        Duty("timekeeping", clock, _is_recent(now, clock)),
        Duty("presence", web, web is None or _is_recent(now, web)),
    ]


def duties_of_queue(last_done: Mapping[str, int | None]) -> list[Duty]:
    """Return the duties that are recorded on the queue server. The queue server drops entries that are not recent."""
    recorded = (("hints", CLOCK), ("deliveries", DELIVER), ("bots", WORKER), ("thinking", THINKER))
    return [Duty(name, last_done.get(who), last_done.get(who) is not None) for name, who in recorded]


def _is_recent(now: int, at: int | None) -> bool:
    return at is not None and abs(now - at) <= RECENT_MS


def _layout(games: Games, answers: bool) -> Layout:
    try:
        states = games.store.layouts() if answers else []
    except StoreError:
        states = []
    stored = min((state.number for state in states), default=None)
    return Layout(LAYOUT, stored, any(state.to is not None for state in states))


def _first_set_aside(games: Games) -> tuple[Sequence[SetAside], int]:
    try:
        return games.store.set_aside.first(SET_ASIDE_LIMIT)
    except StoreError:
        return [], 0
