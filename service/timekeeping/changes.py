"""What a game's clock says to a change: it stops with the turn, and starts where a player is asked anew.

The facts that a clock needs are read first; what it says then follows from them, from what happened and from the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.events import SeatResigned

from ..clocks.events import ClockEvent, DeadlineMoved
from ..clocks.game_clock import OUTAGE, GameClock, Turn
from ..clocks.hours import Hours
from ..clocks.reckoning import Stop
from ..games.changes import Change, thought_of
from ..games.commits import Commit
from ..games.events import ENDS_TURN, Event
from ..games.game import Snapshot
from ..games.repository import Answer, Games, append
from ..store.presence import Outage
from .availability import stops_of


class Facts(NamedTuple):
    """What a clock must know: outages of the service, and the hours of the player whose clock starts, if one does."""

    outages: Sequence[Outage]
    hours: Hours | None


def make_change(games: Games, game: Snapshot, by: str, events: Sequence[Event], key: str, fingerprint: str) -> Change:
    """Return the change that events make of a game, with what its clock says to them; nothing is stored.

    One round trip where the clock stops or starts, none where it does neither. Raises: StoreUnavailable.
    """
    at = games.now()
    after = game.after(at, events)
    stops = clock_stops(after, events)
    starts = clock_starts(after, stops=stops)
    if stops or starts is not None:
        events = [*events, *clock_events(after, at, read_facts(games, starts), stops=stops)]
        after = game.after(at, events)
    commit = Commit(after.version, at, by, key, fingerprint, events)
    return Change(after, commit, thought_of(game, commit))


def append_change(games: Games, game: Snapshot, by: str, events: Sequence[Event], *, key: str = "") -> Answer | None:
    """Append the change that events make of a game; None, and nothing is stored, where somebody else was faster."""
    return append(games, make_change(games, game, by, events, key or f"{by}-{game.version}", ""))


def clock_stops(after: Snapshot, events: Sequence[Event]) -> bool:
    """Tell whether the clock that ran stops with some events: the turn is over, or nobody who thinks is asked any more.

    Where somebody else has resigned, the seat that is asked is asked once more: its time goes on.
    """
    clock = after.table.clock
    if clock is None or clock.turn is None:
        return False
    if _is_asked_still(after, clock.turn) and any(_leaves(event, clock.turn) for event in events):
        return False
    return not ENDS_TURN.isdisjoint(map(type, events)) or (after.player_to_act() is None and clock.paused is None)


def clock_starts(after: Snapshot, *, stops: bool) -> str | None:
    """Return the player whose clock starts after some events, None where none does; `stops` is as above."""
    clock = after.table.clock
    if clock is None or (clock.turn is not None and not stops):
        return None
    return after.player_to_act()


def read_facts(games: Games, starts: str | None) -> Facts:
    """Return what a clock must know that stops, or that starts for a player; one round trip."""
    if starts is None:
        return Facts(games.store.presence.seen().outages, None)
    seen, hours = stops_of(games, starts)
    return Facts(seen.outages, hours)


def clock_events(after: Snapshot, at: int, facts: Facts, *, stops: bool) -> list[ClockEvent]:
    """Return what the clock says at a time (ms since the epoch) to events that led to a game."""
    assert after.table.clock is not None, "only a clock says anything"
    clock, said = after.table.clock.copy(), list[ClockEvent]()

    def say(event: ClockEvent) -> None:
        clock.apply(at, event)
        said.append(event)

    if stops:
        credit = credit_for(clock, facts.outages)
        if credit is not None:
            say(credit)
        say(clock.stopped(at))
    if facts.hours is not None and after.asked is not None:
        say(clock.started(after.asked, at, facts.hours.habits, facts.hours.vacation))
    return said


def credit_for(clock: GameClock, outages: Sequence[Outage]) -> DeadlineMoved | None:
    """Return what the outages that a turn has seen do to its deadline."""
    if clock.turn is None:
        return None
    since = clock.turn.since
    return clock.moved(OUTAGE, more=[Stop(*outage, OUTAGE) for outage in outages if outage.until > since])


def _is_asked_still(after: Snapshot, turn: Turn) -> bool:
    return after.state is not None and after.state.result is None and after.state.turn == turn.seat


def _leaves(event: Event, turn: Turn) -> bool:
    """Tell whether somebody else than the seat of a turn has resigned."""
    return isinstance(event, SeatResigned) and event.seat != turn.seat
