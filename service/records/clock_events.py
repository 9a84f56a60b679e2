"""Clock events in a record: checks every part of these events that follows from the log alone.

The log does not show when the service was down, or which hours a player has chosen. Outages, nights, time zones and
vacations are therefore accepted as recorded. Everything that follows from these facts is checked, including:

* Each deadline is the beginning of the turn, plus the allowed time, plus the stops before the deadline.
* Nights and days off match the recorded habits and the clock's settings.
* An event changes only those stops that an event of its type may change.
* The time that a seat has used, and the time left in its bank, match the stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..clocks.events import ClockAdvanced, ClockStarted, ClockStopped, DeadlineMoved, StopRecords
from ..clocks.game_clock import EXTENSION, OUTAGE, PAUSE, GameClock
from ..clocks.hours import DISTANT
from ..clocks.nights import BY_HABIT, LONGEST_NIGHT, WEEKDAYS, Habits, is_zone, night_hours, stops_by_habit
from ..clocks.reckoning import DAY, SECOND, Stop, in_order, run_out
from ..clocks.settings import (
    AT_TIMEOUT,
    BANK,
    KINDS,
    LONGEST,
    MOST_MISSES,
    PER_MOVE,
    SHORTEST,
    SHORTEST_INCREMENT,
    ClockSettings,
)
from ..clocks.settings import from_record as settings_from_record
from ..clocks.vacation import VACATION
from ..games.events import Event
from ..games.game import Snapshot
from ..problems import Problem
from ..timekeeping.changes import clock_starts, clock_stops
from .report import Wrong, quoted

LEEWAY = SECOND
"""The maximum difference between the clocks of two machines of a service, in ms."""
MOST_STOPS = 1_000
"""The maximum number of stops in one event."""
MOST_DAYS = 200_000
"""The maximum number of days whose nights and days off are computed for one record. The computation for this number of
days takes two seconds.
"""
STOPS_A_DAY = 4
"""The number of recorded stops that take as much work as the nights and days off of one day."""

Spans = list[tuple[int, int]]


class Stops:
    """Checks the stops and deadlines of one record, with a limit on the amount of work."""

    def __init__(self) -> None:
        self._days = 0

    def check_start(self, clock: GameClock, seat: int, at: int, event: ClockStarted) -> None:
        """Check the beginning of a turn. Raises: Wrong, Problem."""
        settings = clock.settings
        allowance = settings.allowance(clock.banks[seat])
        if (event.seat, event.allowance) != (seat, allowance):
            raise Wrong(
                "clock",
                f"the clock of seat {seat} must start with {allowance} ms, but the event is {quoted(event._asdict())}",
            )
        habits = _habits(event.zone, event.sleep)
        if (habits.sleep and not settings.sleep_hours) or (
            not habits.sleep and not settings.days_off and habits != Habits()
        ):
            raise Wrong("clock", "the clock's settings do not use this player's nights or time zone")
        fixed = self._check_deadline(clock, at, allowance, habits, event.deadline, event.stops)
        _require_reasons(fixed, {VACATION} if settings.vacation else set())

    def check_move(self, clock: GameClock, at: int, event: DeadlineMoved, *reasons: str) -> None:
        """Check an event that moves a deadline.

        Only stops with these reasons may have been added. Raises: Wrong, Problem.
        """
        turn = clock.turn
        if turn is None or turn.seat != event.seat:
            raise Wrong("clock", f"the clock of seat {event.seat} is not running")
        if event.extra != turn.extra:
            raise Wrong("clock", f"the turn has {turn.extra} ms of granted time, not {event.extra}")
        if event.deadline == turn.deadline:
            raise Wrong("clock", "the event does not change the deadline")
        allowed = turn.allowance + turn.extra - turn.advanced
        fixed = self._check_deadline(
            clock, turn.since, allowed, turn.habits, event.deadline, event.stops, turn.advanced_at
        )
        before = [stop for stop in turn.stops if stop.reason not in BY_HABIT]
        if not clock.settings.vacation:
            _require_reasons(fixed, {OUTAGE, PAUSE})
        remaining = [stop for stop in before if stop.reason not in reasons or stop.reason != VACATION]
        if not _covers(_parse(event.stops), [stop for stop in remaining if stop.begin < event.deadline]):
            raise Wrong("clock", "a stop of the turn is missing")
        if not _covers(before, [stop for stop in fixed if stop.reason not in reasons]):
            raise Wrong(
                "clock", f"the deadline moves because of {event.reason}, but a stop for another reason was added"
            )
        if any(stop.until > at for stop in fixed if stop.reason != VACATION):
            raise Wrong("clock", "a stop ends after the commit that records it")

    def check_resumption(self, clock: GameClock, at: int, event: DeadlineMoved | None) -> None:
        """Check the deadline at the end of a pause. If the deadline does not move, `event` is None.

        Raises: Wrong, Problem.
        """
        assert clock.paused is not None
        if event is not None:
            if event.reason != PAUSE:
                raise Wrong("clock", f"the deadline must move because a pause ended, not because of {event.reason}", 1)
            self.check_move(clock, at, event, PAUSE, VACATION)
        if clock.turn is None:
            return
        self._spend_move(clock, at)
        surely = clock.move_event(PAUSE, other_stops=[Stop(clock.paused, max(clock.paused, at - LEEWAY), PAUSE)])
        least = clock.turn.deadline if surely is None else surely.deadline
        if (clock.turn.deadline if event is None else event.deadline) < least and not clock.settings.vacation:
            raise Wrong("clock", f"after the pause the deadline must be {least} or later", None if event is None else 1)
        if event is None and surely is not None:
            raise Wrong("clock", "the end of the pause must move the deadline, but does not")
        self._spend(clock.turn.deadline, least)

    def extend(self, clock: GameClock, extra: int) -> list[Event]:
        """Return the event that adds granted time to a turn. Raises: Problem."""
        if clock.turn is None:
            return []
        self._spend_move(clock, clock.turn.deadline)
        moved = clock.move_event(EXTENSION, extra=extra)
        if moved is None:
            return []
        self._spend(clock.turn.deadline, moved.deadline)
        return [moved]

    def advance(self, clock: GameClock, at: int, by: int) -> ClockAdvanced | None:
        """Return the event that advances a turn's clock, or None if the turn has no time left. Raises: Problem."""
        if clock.turn is None:
            return None
        self._spend_move(clock, clock.turn.deadline)
        return clock.advance_event(at, by)

    def _check_deadline(
        self,
        clock: GameClock,
        since: int,
        allowed: int,
        habits: Habits,
        deadline: int,
        records: StopRecords,
        earliest: int = 0,
    ) -> list[Stop]:
        """Check that a deadline matches its stops, and return the stops other than nights and days off.

        For `earliest`, see `run_out`.
        """
        stops = _parse(records)
        fixed = [stop for stop in stops if stop.reason not in BY_HABIT]
        if habits.sleep is None and not clock.settings.days_off:
            recurring: Iterable[Stop] = iter(())
        else:
            self._spend(since, max([since, *(stop.until for stop in fixed)]))
            recurring = (stop.since(since) for stop in stops_by_habit(since, habits, clock.settings.days_off))
            self._spend(since, deadline)
        expected, again = run_out(since, allowed, in_order(fixed, recurring), earliest)
        if deadline != expected:
            raise Wrong("clock", f"with these stops the deadline must be {expected}, not {deadline}")
        if _spans(again) != _spans(stops):
            raise Wrong("clock", "the clock's stops do not match the player's nights and the game's days off")
        return fixed

    def _spend_move(self, clock: GameClock, until: int) -> None:
        """Count the work needed to move a turn's deadline.

        The nights are computed up to the deadline or up to `until`, whichever is later.

        Raises: see `_spend`.
        """
        assert clock.turn is not None
        self._spend(clock.turn.since, max(clock.turn.deadline, until))
        self._days += len(clock.turn.stops) // STOPS_A_DAY

    def _spend(self, since: int, until: int) -> None:
        """Count the days from `since` to `until`, because computing the nights of each day is work.

        Raises: Problem (record-too-large).
        """
        self._days += max(0, until - since) // DAY + 1
        if self._days > MOST_DAYS:
            raise Problem("record-too-large", f"the record's clocks may cover at most {MOST_DAYS:,} days")


def following(after: Snapshot, at: int, main: Sequence[Event], recorded: Sequence[Event], stops: Stops) -> list[Event]:
    """Return the clock events that must follow a commit's `main` events.

    The returned events stop a clock, start a clock, or do both. If the record says that an outage moved the deadline
    before the clock stopped, the list also contains the event that moved the deadline. The list is empty if no clock
    stops or starts. `after` is the game after the `main` events. The `recorded` events supply only the facts that the
    log alone does not determine. Raises: Wrong, Problem.
    """
    stopping = clock_stops(after, main)
    starting = clock_starts(after, stops=stopping)
    expected: list[Event] = []
    if not stopping and starting is None:
        return expected
    assert after.table.clock is not None
    clock = after.table.clock.copy()
    if stopping:
        first = recorded[0] if recorded else None
        if isinstance(first, DeadlineMoved) and first.reason == OUTAGE:
            stops.check_move(clock, at, first, OUTAGE)
            clock.apply(at, first)
            expected.append(first)
        stopped = clock.stop_event(at)
        clock.apply(at, stopped)
        expected.append(stopped)
    if starting is not None and after.seat_to_act is not None:
        last = recorded[-1] if recorded else None
        if not isinstance(last, ClockStarted):
            raise Wrong("clock", f"the clock of seat {after.seat_to_act} must start, but does not")
        stops.check_start(clock, after.seat_to_act, at, last)
        expected.append(last)
    return expected


def split(events: Sequence[Event]) -> int:
    """Return how many of a commit's events belong to the commit's cause.

    The clock events after the cause are not counted.
    """
    count = len(events)
    if count and isinstance(events[count - 1], ClockStarted):
        count -= 1
    if count and isinstance(events[count - 1], ClockStopped):
        count -= 1
        last = events[count - 1] if count else None
        if isinstance(last, DeadlineMoved) and last.reason == OUTAGE:
            count -= 1
    return count


def settings_of(record: dict[str, Any]) -> ClockSettings:
    """Check a clock's settings by the rules for opening a game, and return them. Raises: Wrong."""
    try:
        settings = settings_from_record(record)
        problem = _problem(settings)
    except (KeyError, TypeError, ValueError):
        problem = "they have missing or unknown members"
    if problem:
        raise Wrong("clock", f"these are not valid clock settings: {problem}", 0)
    return settings


def _problem(settings: ClockSettings) -> str:
    """Return a description of what is wrong with a clock's settings, or "" if they are valid. Raises: TypeError."""
    numbers = (settings.seconds, settings.increment, settings.cap, settings.misses)
    flags = (settings.sleep_hours, settings.vacation)
    if {*map(type, numbers)} != {int} or {*map(type, flags)} != {bool} or type(settings.bot) is not str:
        return "a member has the wrong type"
    if settings.kind not in KINDS or settings.at_timeout not in AT_TIMEOUT or not 1 <= settings.misses <= MOST_MISSES:
        return "kind, at_timeout or misses has an invalid value"
    if not SHORTEST <= settings.seconds <= LONGEST:
        return "seconds has an invalid value"
    days = settings.days_off
    if len(days) >= len(WEEKDAYS) or len({*days}) != len(days) or not {*days} <= {*WEEKDAYS}:
        return "days_off has an invalid value"
    if settings.kind == PER_MOVE and (settings.increment or settings.cap):
        return "only a clock of the kind bank can have an increment and a cap"
    if settings.kind == BANK and not (
        SHORTEST_INCREMENT <= settings.increment <= LONGEST
        and max(SHORTEST, settings.seconds, settings.increment) <= settings.cap <= LONGEST
    ):
        return "increment or cap has an invalid value"
    return ""


def _habits(zone: str, sleep: list[str] | None) -> Habits:
    """Return the habits that an event records. Raises: Wrong."""
    try:
        night = None if sleep is None else (sleep[0], sleep[1])
        is_right = is_zone(zone) and (sleep is None or len(sleep) == 2)
        is_right = is_right and (night is None or 0 < night_hours(night) <= LONGEST_NIGHT)
    except (IndexError, TypeError, ValueError, AttributeError):
        is_right = False
    if not is_right:
        raise Wrong("clock", f"this is not a valid time zone and night: {quoted([zone, sleep])}")
    return Habits(zone, night)


def _parse(records: StopRecords) -> list[Stop]:
    """Return the stops that an event records. The stops must be in order and must not overlap. Raises: Wrong."""
    if len(records) > MOST_STOPS:
        raise Wrong("clock", f"an event can have at most {MOST_STOPS} stops")
    stops, now = [], 0
    for record in records:
        begin, until, reason = record.get("begin"), record.get("until"), record.get("reason")
        if type(begin) is not int or type(until) is not int or len(record) != 3 or type(reason) is not str:
            raise Wrong("clock", f"this is not a stop: {quoted(record)}")
        if not now <= begin < until < DISTANT or reason not in {*BY_HABIT, VACATION, OUTAGE, PAUSE}:
            raise Wrong("clock", f"this stop is not possible here: {quoted(record)}")
        stops.append(Stop(begin, until, reason))
        now = until
    return stops


def _require_reasons(stops: Iterable[Stop], reasons: set[str]) -> None:
    for stop in stops:
        if stop.reason not in reasons:
            raise Wrong("clock", f"a stop for {stop.reason} is not possible here")


def _spans(stops: Iterable[Stop]) -> Spans:
    """Return the periods that are covered by stops, without the stops' reasons. Adjacent stops are merged."""
    spans: Spans = []
    for begin, until, _ in stops:
        if spans and begin <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(until, spans[-1][1])
        else:
            spans.append((begin, until))
    return spans


def _covers(stops: Iterable[Stop], inner: Iterable[Stop]) -> bool:
    """Return whether `stops` cover all of `inner`. The stops in each argument must be in order and must not overlap."""
    spans = iter(_spans(stops))
    begin, until = 0, 0
    for stop in inner:
        while until < stop.until:
            span = next(spans, None)
            if span is None:
                return False
            begin, until = span
        if stop.begin < begin:
            return False
    return True
