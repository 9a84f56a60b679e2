"""A game's clock: its banks, deadlines and timeouts, computed from the game's log, and the next clock events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .events import (
    ClockAdvanced,
    ClockEvent,
    ClockStarted,
    ClockStopped,
    DeadlineMoved,
    ExtensionAsked,
    ExtensionGranted,
    GamePaused,
    GameResumed,
    PauseAsked,
    SeatReminded,
    SeatSubstituted,
    SeatTakenBack,
    SeatTimedOut,
    StopRecords,
)
from .nights import BY_HABIT, Habits, stops_by_habit
from .reckoning import SECOND, Stop, in_order, run_out, time_counted
from .settings import ClockSettings
from .vacation import VACATION, Vacation

REMINDERS = (25, 5)
"""The player gets a reminder when these percentages of a turn's time are left."""
MIN_NOTICE = 2 * SECOND
"""The minimum time between a reminder and the deadline, in ms. A reminder is not sent if it would be due closer to the
deadline."""
ALL = 100
LEAD = 60 * SECOND
"""An automatic vacation begins at most this number of ms before the deadline."""

PAUSE, OUTAGE, EXTENSION = "pause", "outage", "extension"


class Turn(NamedTuple):
    """A turn whose clock is running. Times are in ms since the epoch, and durations are in ms."""

    seat: int
    since: int
    deadline: int
    allowance: int
    stops: list[Stop]
    habits: Habits
    extra: int = 0
    reminded: int = ALL
    """The last reminder that was sent, as the percentage of time left, or `ALL` if none was sent."""
    timed_out: bool = False
    advanced: int = 0
    """How much of the turn's time the owner skipped by advancing the clock for a test, in ms."""
    advanced_at: int = 0
    """The time at which the owner last advanced the clock, or 0 if never. The deadline is never earlier than this time,
    even during a stop."""

    @property
    def time_allowed(self) -> int:
        """The time for this turn, including granted extensions, in ms."""
        return self.allowance + self.extra

    def left_at(self, percent: int) -> int:
        """Return the time at which this percentage of the turn's time will be left."""
        return run_out(self.since, max(0, self.time_allowed * (ALL - percent) // ALL - self.advanced), self.stops)[0]

    def used(self, now: int) -> int:
        """Return the time that the clock has counted so far, in ms."""
        return time_counted(self.since, now, self.stops) + self.advanced

    def reminder_to_send(self, now: int) -> int | None:
        """Return the reminder that should be sent now, or None.

        If both reminders should be sent, return the more urgent one.
        """
        return min((percent for percent, time in self.reminders().items() if time <= now), default=None)

    def reminders(self) -> dict[int, int]:
        """Return the reminders that have not been sent yet, each with the time at which it is due.

        A reminder is left out if it would be due just before the deadline.
        """
        times = {percent: self.left_at(percent) for percent in REMINDERS if percent < self.reminded}
        return {percent: time for percent, time in times.items() if self.deadline - time >= MIN_NOTICE}


class Extension(NamedTuple):
    """A requested extension, in ms, and the seats that have agreed to it."""

    extra: int
    agreed: frozenset[int] = frozenset()


@dataclass
class GameClock:
    """One game's clock, computed from the game's log."""

    settings: ClockSettings
    banks: list[int]
    """For each seat, the time in its bank after its last turn, or at the start of the game, in ms."""
    misses: list[int]
    """For each seat, its number of consecutive timeouts."""
    turn: Turn | None = None
    paused: int | None = None
    """The time at which the current pause began, or None if the game is not paused."""
    pause_asked: set[int] = field(default_factory=set)
    extension: Extension | None = None
    advanced: int = 0
    """How far the owner has advanced the clock for tests in total, in ms."""

    def apply(self, at: int, event: ClockEvent) -> None:
        """Apply the next event of the log. `at` is the time of the event's commit."""
        match event:
            case ClockStarted(seat, deadline, allowance, stops, zone, sleep):
                habits = Habits(zone, None if sleep is None else (sleep[0], sleep[1]))
                self.turn = Turn(seat, at, deadline, allowance, _stops(stops), habits)
                self.extension = None
            case ClockStopped(seat, _, bank):
                self.banks[seat] = bank
                self.pause_asked.discard(seat)
                if self.turn is not None and not self.turn.timed_out:
                    self.misses[seat] = 0
                self.turn = self.extension = None
            case DeadlineMoved(_, deadline, reason, extra, stops):
                assert self.turn is not None
                self.turn = self.turn._replace(deadline=deadline, extra=extra, stops=_stops(stops))
                if reason == EXTENSION:
                    self.extension = None
            case SeatReminded(_, left):
                assert self.turn is not None
                self.turn = self.turn._replace(reminded=left)
            case SeatTimedOut(seat, misses):
                assert self.turn is not None
                self.misses[seat] = misses
                self.turn = self.turn._replace(timed_out=True)
            case SeatTakenBack(seat, _):
                self.misses[seat] = 0
            case SeatSubstituted(seat, _):
                self.misses[seat] = 0
                self.pause_asked.discard(seat)
            case PauseAsked(seat):
                self.pause_asked.add(seat)
            case GamePaused():
                self.paused = at
                self.pause_asked.clear()
            case GameResumed():
                self.paused = None
            case ExtensionAsked(_, extra):
                self.extension = Extension(extra)
            case ExtensionGranted(seat):
                assert self.extension is not None
                self.extension = self.extension._replace(agreed=self.extension.agreed | {seat})
            case ClockAdvanced(_, by, deadline, stops):
                assert self.turn is not None
                self.advanced += by
                advanced = self.turn.advanced + by
                self.turn = self.turn._replace(
                    deadline=deadline, stops=_stops(stops), advanced=advanced, advanced_at=at
                )

    def copy(self) -> GameClock:
        """Return an independent copy."""
        pause_asked = self.pause_asked.copy()
        extension, advanced = self.extension, self.advanced
        return GameClock(
            self.settings, self.banks[:], self.misses[:], self.turn, self.paused, pause_asked, extension, advanced
        )

    def overdue(self, now: int) -> bool:
        """Return whether the turn's time has run out."""
        return self.paused is None and self.turn is not None and self.turn.deadline <= now

    def next_look(self, after: int) -> int | None:
        """Return the earliest time, not before `after`, at which a reminder, vacation or timeout may be due.

        Returns None if no clock is running.
        """
        if self.turn is None or self.paused is not None:
            return None
        turn = self.turn
        if turn.reminder_to_send(after) is not None:
            return after
        looks = list(turn.reminders().values())
        if self.settings.vacation:
            looks.append(turn.deadline - LEAD)
        return min((time for time in looks if time > after), default=turn.deadline)

    # New events

    def start_event(self, seat: int, at: int, habits: Habits, vacation: Vacation) -> ClockStarted:
        """Return the event for the beginning of a turn."""
        habits_used = habits if self.settings.sleep_hours else habits._replace(sleep=None)
        if habits_used.sleep is None and not self.settings.days_off:
            habits_used = Habits()
        allowance = self.settings.allowance(self.banks[seat])
        deadline, stops = self._run_out(at, allowance, habits_used, [vacation.stop()] if self.settings.vacation else [])
        sleep = list(habits_used.sleep) if habits_used.sleep else None
        return ClockStarted(seat, deadline, allowance, _records(stops), habits_used.zone, sleep)

    def stop_event(self, at: int) -> ClockStopped:
        """Return the event for the end of the turn."""
        assert self.turn is not None
        used = self.turn.used(at if self.paused is None else self.paused)
        # The turn uses its granted extra time first. Unused extra time is lost.
        bank = self.settings.after_move(self.banks[self.turn.seat], max(0, used - self.turn.extra))
        return ClockStopped(self.turn.seat, used, bank)

    def move_event(
        self, reason: str, *, extra: int = 0, vacation: Vacation | None = None, other_stops: Iterable[Stop] = ()
    ) -> DeadlineMoved | None:
        """Return the event that moves the deadline, or None if the deadline does not change.

        `extra` is newly granted time, `vacation` is the player's current vacation, and `other_stops` are outages or a
        pause.
        """
        turn = self.turn
        if turn is None:
            return None
        fixed = [stop for stop in turn.stops if stop.reason not in BY_HABIT]
        if vacation is not None and self.settings.vacation:
            # An earlier vacation cannot have ended after this vacation began.
            fixed = [
                stop._replace(until=min(stop.until, vacation.since)) if stop.reason == VACATION else stop
                for stop in fixed
                if stop.reason != VACATION or stop.begin < vacation.since
            ]
            fixed.append(vacation.stop())
        extra_granted = turn.extra + extra
        allowed = turn.allowance + extra_granted - turn.advanced
        deadline, stops = self._run_out(turn.since, allowed, turn.habits, [*fixed, *other_stops], turn.advanced_at)
        if deadline == turn.deadline:
            # If stops overlap, the recorded reason may depend on which stop was recorded first. The deadline does not,
            # and only a new deadline needs an event.
            return None
        return DeadlineMoved(turn.seat, deadline, reason, extra_granted, _records(stops))

    def advance_event(self, now: int, by: int) -> ClockAdvanced | None:
        """Return the event that skips `by` ms of the turn's time, or all the remaining time if that is less.

        If the skip uses up the remaining time during a stop, the stop also ends now. Returns None if the turn has no
        time left.
        """
        assert self.turn is not None
        turn = self.turn
        by = min(by, turn.time_allowed - turn.used(now))
        if by <= 0:
            return None
        fixed = [stop for stop in turn.stops if stop.reason not in BY_HABIT]
        deadline, stops = self._run_out(turn.since, turn.time_allowed - turn.advanced - by, turn.habits, fixed, now)
        return ClockAdvanced(turn.seat, by, deadline, _records(stops))

    def _run_out(
        self, since: int, allowance: int, habits: Habits, fixed: Sequence[Stop], earliest: int = 0
    ) -> tuple[int, list[Stop]]:
        """Return a deadline and the clock's stops before the deadline. `earliest` has the same meaning as in `run_out`.

        If a stop began before the turn, only the part during the turn counts.
        """
        single = sorted((stop.since(since) for stop in fixed), key=lambda stop: (stop.begin, stop.reason))
        recurring = (stop.since(since) for stop in stops_by_habit(since, habits, self.settings.days_off))
        return run_out(since, allowance, in_order(single, recurring), earliest)


def _stops(records: StopRecords) -> list[Stop]:
    return [Stop(**record) for record in records]


def _records(stops: Iterable[Stop]) -> StopRecords:
    return [stop._asdict() for stop in stops]
