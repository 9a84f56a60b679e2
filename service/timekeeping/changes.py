"""Changes and clocks: a game's clock stops when a turn ends, and starts when a player's turn begins.

The facts that a clock needs are read from the store first. The clock's events are then computed from these facts, the
change and the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.events import SeatResigned

from ..clocks.events import ClockEvent, DeadlineMoved
from ..clocks.game_clock import OUTAGE, GameClock, Turn
from ..clocks.hours import Hours
from ..clocks.reckoning import DAY, Stop
from ..games.changes import Change, thinking_time
from ..games.commits import Commit
from ..games.events import ENDS_TURN, Event
from ..games.game import Snapshot
from ..games.repository import Answer, Games, append
from ..store.presence import Outage
from .availability import stops_of

LONGEST_STEP = 2 * DAY
"""If a machine's clock is set back by more than this number of ms, the times of new commits go back too."""


class Facts(NamedTuple):
    """The facts that a clock needs: the service's outages and, if a player's clock starts, that player's hours."""

    outages: Sequence[Outage]
    hours: Hours | None


def time_of_change(games: Games, game: Snapshot) -> int:
    """Return the time to record for a change made now: the current time, or the last commit's time if that is later.

    If the last commit is more than `LONGEST_STEP` in the future, the machine's clock must have been wrong when the
    commit was written. In this case, the current time is returned. If the wrong time were used again, all of the game's
    deadlines would be too late until the machine's clock caught up.
    """
    now = games.now()
    return game.changed_at if 0 < game.changed_at - now <= LONGEST_STEP else now


def make_change(
    games: Games,
    game: Snapshot,
    by: str,
    events: Sequence[Event],
    key: str,
    fingerprint: str,
    at: int | None = None,
) -> Change:
    """Return the change that events make to a game, including the events of the game's clock. Store nothing.

    `at` is the time at which the events were decided; the default is `time_of_change`. Takes one round trip if the
    clock stops or starts, and none otherwise. Raises: StoreUnavailable.
    """
    at = time_of_change(games, game) if at is None else at
    after = game.after(at, events, by)
    stops = clock_stops(after, events)
    starts = clock_starts(after, stops=stops)
    if stops or starts is not None:
        events = [*events, *clock_events(after, at, read_facts(games, starts), stops=stops)]
        after = game.after(at, events, by)
    commit = Commit(after.version, at, by, key, fingerprint, events)
    return Change(after, commit, thinking_time(game, commit))


def append_change(games: Games, game: Snapshot, by: str, events: Sequence[Event], *, key: str = "") -> Answer | None:
    """Append the change that events make to a game. If the game has changed, store nothing and return None."""
    return append(games, make_change(games, game, by, events, key or f"{by}-{game.version}", ""))


def clock_stops(after: Snapshot, events: Sequence[Event]) -> bool:
    """Return whether these events stop the running clock. The clock stops if the turn has ended, or if the game is no
    longer waiting for a player.

    If another player resigns, the log records a new start of the current turn, but the turn's clock keeps running.
    """
    clock = after.table.clock
    if clock is None or clock.turn is None:
        return False
    if _is_same_turn(after, clock.turn) and any(_leaves(event, clock.turn) for event in events):
        return False
    return not ENDS_TURN.isdisjoint(map(type, events)) or (after.player_to_act() is None and clock.paused is None)


def clock_starts(after: Snapshot, *, stops: bool) -> str | None:
    """Return the player whose clock starts after a change, or None. `stops` is the result of `clock_stops`."""
    clock = after.table.clock
    if clock is None or (clock.turn is not None and not stops):
        return None
    return after.player_to_act()


def read_facts(games: Games, starts: str | None) -> Facts:
    """Return the facts that a clock needs when it starts for the player `starts`.

    If `starts` is None, the clock only stops. Takes one round trip.
    """
    if starts is None:
        return Facts(games.store.presence.read().outages, None)
    presence, hours = stops_of(games, starts)
    return Facts(presence.outages, hours)


def clock_events(after: Snapshot, at: int, facts: Facts, *, stops: bool) -> list[ClockEvent]:
    """Return the clock's events for the change that led to the game `after`. `at` is the time of the change (ms since
    the epoch).
    """
    assert after.table.clock is not None, "only a game with a clock has clock events"
    clock, new_events = after.table.clock.copy(), list[ClockEvent]()

    def add(event: ClockEvent) -> None:
        clock.apply(at, event)
        new_events.append(event)

    if stops:
        credit = credit_for(clock, facts.outages)
        if credit is not None:
            add(credit)
        add(clock.stop_event(at))
    if facts.hours is not None and after.seat_to_act is not None:
        add(clock.start_event(after.seat_to_act, at, facts.hours.habits, facts.hours.vacation))
    return new_events


def credit_for(clock: GameClock, outages: Sequence[Outage]) -> DeadlineMoved | None:
    """Return the event that extends a turn by the outages that occurred during it, or None if there were no outages."""
    if clock.turn is None:
        return None
    since = clock.turn.since
    return clock.move_event(OUTAGE, other_stops=[Stop(*outage, OUTAGE) for outage in outages if outage.until > since])


def _is_same_turn(after: Snapshot, turn: Turn) -> bool:
    return after.state is not None and after.state.result is None and after.state.turn == turn.seat


def _leaves(event: Event, turn: Turn) -> bool:
    """Return whether an event is the resignation of a seat other than the seat to act."""
    return isinstance(event, SeatResigned) and event.seat != turn.seat
