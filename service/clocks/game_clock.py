"""The clock of a game: what its log says of banks, deadlines and absence so far, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .events import (
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
from .reckoning import SECOND, Stop, counted, in_order, run_out
from .settings import ClockSettings
from .vacation import VACATION, Vacation

REMINDERS = (25, 5)
"""Percent of a turn's time that are left when its player is reminded, once each."""
ALL = 100
LEAD = 60 * SECOND
"""Before a timeout by so much a vacation may begin by itself."""

PAUSE, OUTAGE, EXTENSION = "pause", "outage", "extension"


class Turn(NamedTuple):
    """A turn whose clock runs. Times are ms since the epoch, spans are ms."""

    seat: int
    since: int
    deadline: int
    allowance: int
    stops: list[Stop]
    habits: Habits
    extra: int = 0
    reminded: int = ALL
    """The last reminder, in percent left; all where there was none."""
    timed_out: bool = False

    @property
    def given(self) -> int:
        """Everything that counts for this turn, with what consent has added."""
        return self.allowance + self.extra

    def left_at(self, percent: int) -> int:
        """Return when so many percent of its time are left."""
        return run_out(self.since, self.given * (ALL - percent) // ALL, self.stops)[0]

    def used(self, now: int) -> int:
        """Return the time that has counted so far."""
        return counted(self.since, now, self.stops)

    def due_reminder(self, now: int) -> int | None:
        """Return the reminder that should have been given by now; the more urgent one where both should."""
        due = [percent for percent in REMINDERS if percent < self.reminded and self.left_at(percent) <= now]
        return min(due, default=None)


class Extension(NamedTuple):
    """An extension that was asked for, and who agrees."""

    extra: int
    agreed: frozenset[int] = frozenset()


@dataclass
class GameClock:
    """The clock of one game, folded from its log."""

    settings: ClockSettings
    banks: list[int]
    """For each seat what was left when its last turn ended, or at the start."""
    misses: list[int]
    """For each seat its timeouts in a row."""
    turn: Turn | None = None
    paused: int | None = None
    """Since when the game pauses."""
    pause_asked: set[int] = field(default_factory=set)
    extension: Extension | None = None

    def apply(self, at: int, event: ClockEvent) -> None:
        """Change by one more event of the log, which was stored at a time."""
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

    def copy(self) -> GameClock:
        """Return an independent copy."""
        asked = self.pause_asked.copy()
        return GameClock(self.settings, self.banks[:], self.misses[:], self.turn, self.paused, asked, self.extension)

    def overdue(self, now: int) -> bool:
        """Tell whether a turn's time is over."""
        return self.paused is None and self.turn is not None and self.turn.deadline <= now

    def next_look(self, after: int) -> int | None:
        """Return when there will be something to do after a time: a reminder, a vacation, a timeout; None: nothing."""
        if self.turn is None or self.paused is not None:
            return None
        turn = self.turn
        if turn.due_reminder(after) is not None:
            return after
        looks = [turn.left_at(percent) for percent in REMINDERS if percent < turn.reminded]
        if self.settings.vacation:
            looks.append(turn.deadline - LEAD)
        return min((look for look in looks if look > after), default=turn.deadline)

    # What happens next

    def started(self, seat: int, at: int, habits: Habits, vacation: Vacation) -> ClockStarted:
        """Return what the log says when a turn begins."""
        kept = habits if self.settings.sleep_hours else habits._replace(sleep=None)
        if kept.sleep is None and not self.settings.days_off:
            kept = Habits()
        allowance = self.settings.allowance(self.banks[seat])
        deadline, stops = self._run_out(at, allowance, kept, [vacation.stop()] if self.settings.vacation else [])
        sleep = list(kept.sleep) if kept.sleep else None
        return ClockStarted(seat, deadline, allowance, _records(stops), kept.zone, sleep)

    def stopped(self, at: int) -> ClockStopped:
        """Return what the log says when the turn ends."""
        assert self.turn is not None
        used = self.turn.used(at if self.paused is None else self.paused)
        # What was granted for this turn is used first, and what is left of it is lost.
        bank = self.settings.after_move(self.banks[self.turn.seat], max(0, used - self.turn.extra))
        return ClockStopped(self.turn.seat, used, bank)

    def moved(
        self, reason: str, *, extra: int = 0, vacation: Vacation | None = None, more: Iterable[Stop] = ()
    ) -> DeadlineMoved | None:
        """Return what the log says when a deadline moves, None where it does not.

        `extra` is granted; `vacation` is the player's as it is now; `more` are outages or a pause.
        """
        turn = self.turn
        if turn is None:
            return None
        fixed = [stop for stop in turn.stops if stop.reason not in BY_HABIT]
        if vacation is not None and self.settings.vacation:
            # One that was known before was over at the latest when this one began.
            fixed = [
                stop._replace(until=min(stop.until, vacation.since)) if stop.reason == VACATION else stop
                for stop in fixed
                if stop.reason != VACATION or stop.begin < vacation.since
            ]
            fixed.append(vacation.stop())
        granted = turn.extra + extra
        deadline, stops = self._run_out(turn.since, turn.allowance + granted, turn.habits, [*fixed, *more])
        if deadline == turn.deadline:
            # Where stops overlap, which of them is named may depend on which was known first; the time does not.
            return None
        return DeadlineMoved(turn.seat, deadline, reason, granted, _records(stops))

    def _run_out(self, since: int, allowance: int, habits: Habits, fixed: Sequence[Stop]) -> tuple[int, list[Stop]]:
        """Return a deadline and the stops before it.

        What began before the turn counts from its beginning, so that what is left of a stop says the same as all of it.
        """
        once = sorted((stop.since(since) for stop in fixed), key=lambda stop: (stop.begin, stop.reason))
        again = (stop.since(since) for stop in stops_by_habit(since, habits, self.settings.days_off))
        return run_out(since, allowance, in_order(once, again))


def _stops(records: StopRecords) -> list[Stop]:
    return [Stop(**record) for record in records]


def _records(stops: Iterable[Stop]) -> StopRecords:
    return [stop._asdict() for stop in stops]
