"""Habits: nights and days off in local time, including when clocks are put forward or back."""

from __future__ import annotations

import os
import subprocess
import sys
import zoneinfo
from datetime import UTC, datetime
from importlib.resources import files
from itertools import islice
from pathlib import Path

import pytest

from service.clocks.game_clock import OUTAGE, PAUSE, GameClock, Turn
from service.clocks.nights import DAY_OFF, NIGHT, Habits, stops_by_habit
from service.clocks.reckoning import Stop, run_out, time_counted
from service.clocks.vacation import MAX_SAVED, SHORTEST, VACATION, Vacation

from .weeks import DAY, HOUR, MINUTE, per_move

ROME = Habits("Europe/Rome", ("23:00", "07:00"))


def at(text: str) -> int:
    """Return a moment in UTC as ms since the epoch."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("since", "night"),
    [
        pytest.param("2027-03-26T12:00", ("2027-03-26T22:00", "2027-03-27T06:00"), id="winter: eight hours"),
        pytest.param("2027-03-27T12:00", ("2027-03-27T22:00", "2027-03-28T05:00"), id="put forward: seven"),
        pytest.param("2027-03-28T12:00", ("2027-03-28T21:00", "2027-03-29T05:00"), id="summer: eight"),
        pytest.param("2027-10-30T12:00", ("2027-10-30T21:00", "2027-10-31T06:00"), id="put back: nine"),
        pytest.param("2027-03-27T23:30", ("2027-03-27T22:00", "2027-03-28T05:00"), id="in the middle of it"),
    ],
)
def test_a_night_is_as_long_as_the_wall_says(since: str, night: tuple[str, str]) -> None:
    (found,) = islice(stops_by_habit(at(since), ROME, ()), 1)
    assert found == Stop(at(night[0]), at(night[1]), NIGHT)


def test_an_hour_that_the_wall_never_shows_is_the_hour_after_it() -> None:
    """On 2027-03-28, 02:30 does not exist in Rome."""
    (found,) = islice(stops_by_habit(at("2027-03-28T00:00"), Habits("Europe/Rome", ("02:30", "07:00")), ()), 1)
    assert found.begin == at("2027-03-28T01:30")


def test_an_hour_that_the_wall_shows_twice_is_the_first_of_them() -> None:
    (found,) = islice(stops_by_habit(at("2027-10-30T23:30"), Habits("Europe/Rome", ("02:30", "07:00")), ()), 1)
    assert found.begin == at("2027-10-31T00:30")


LATER_IMPORT = """
import zoneinfo
zoneinfo.ZoneInfo("Europe/Rome")
from service.clocks.nights import Habits, stops_by_habit
print(next(stops_by_habit(0, Habits("Europe/Rome", ("23:00", "07:00")), ())).until)
"""


def test_the_files_of_the_machine_do_not_change_the_nights(tmp_path: Path) -> None:
    """They stay the same even if another library has already loaded a zone from these files."""
    (tmp_path / "Europe").mkdir()
    tokyo = files("tzdata").joinpath("zoneinfo", "Asia", "Tokyo").read_bytes()
    (tmp_path / "Europe" / "Rome").write_bytes(tokyo)
    environment = {**os.environ, "PYTHONTZPATH": str(tmp_path)}
    found = subprocess.check_output([sys.executable, "-c", LATER_IMPORT], env=environment, text=True)
    assert int(found) == 6 * HOUR
    assert zoneinfo.TZPATH == ()


def test_a_day_off_is_a_day_of_the_players_zone() -> None:
    sunday, *_ = islice(stops_by_habit(at("2027-03-26T12:00"), Habits("Pacific/Auckland"), ("sunday",)), 1)
    assert sunday == Stop(at("2027-03-27T11:00"), at("2027-03-28T11:00"), DAY_OFF)


def test_twelve_hours_over_the_night_on_which_clocks_are_put_forward() -> None:
    stops = stops_by_habit(at("2027-03-27T20:00"), ROME, ())
    deadline, met = run_out(at("2027-03-27T20:00"), 12 * HOUR, stops)
    assert deadline == at("2027-03-28T15:00")
    assert time_counted(at("2027-03-27T20:00"), deadline, met) == 12 * HOUR


def running(stops: list[Stop], since: int = 0, deadline: int = DAY) -> GameClock:
    clock = GameClock(per_move(86_400), banks=[0, 0], misses=[0, 0])
    clock.turn = Turn(0, since, deadline, DAY, stops, Habits())
    return clock


def test_what_is_known_in_another_order_moves_no_deadline_twice() -> None:
    """An outage, a vacation and a night that overlap give the same deadline in whatever order they become known."""
    night, away, down = Stop(5, 9, NIGHT), Vacation(0, 0, 2, 8), Stop(0, 4, OUTAGE)
    first = running([night])
    deadlines = set()
    for order in ((away, down), (down, away)):
        clock = running([night])
        for what in order:
            moved = (
                clock.move_event("x", vacation=what)
                if isinstance(what, Vacation)
                else clock.move_event("x", other_stops=[what])
            )
            if moved is not None:
                clock.apply(1, moved)
        deadlines.add(clock.turn.deadline)
        assert clock.move_event(OUTAGE, other_stops=[down]) is None
        assert clock.move_event(VACATION, vacation=away) is None
    assert len(deadlines) == 1
    assert first.turn.deadline == DAY


def test_a_pause_is_kept_when_a_vacation_is_cut_short() -> None:
    clock = running([Stop(2 * HOUR, 3 * HOUR, PAUSE), Stop(4 * HOUR, 9 * HOUR, VACATION)], deadline=DAY + 6 * HOUR)
    moved = clock.move_event(VACATION, vacation=Vacation(0, 0, 4 * HOUR, 5 * HOUR))
    assert moved is not None
    assert moved.deadline == DAY + 2 * HOUR


@pytest.mark.parametrize(
    ("days", "left"), [(0, 0), (1, 3 * HOUR), (8, DAY), (240, MAX_SAVED), (1000, MAX_SAVED)], ids=lambda part: str(part)
)
def test_three_hours_of_vacation_are_earned_a_day(days: int, left: int) -> None:
    assert Vacation(0, 0).time_left(days * DAY) == left


def test_a_vacation_is_spent_by_the_time_that_it_lasts_and_earns_nothing() -> None:
    away = Vacation(10 * DAY, 0).begin(0, 4 * DAY)
    assert away.time_left(DAY) == 9 * DAY
    back = away.end(DAY)
    assert (back.time_left(DAY), back.time_left(9 * DAY), back.active(DAY)) == (9 * DAY, 10 * DAY, False)
    assert away.time_left(4 * DAY) == 6 * DAY
    assert Vacation(SHORTEST, 0).begin(0, None).until == SHORTEST


def test_reminders_are_at_a_quarter_and_a_twentieth_of_what_counts() -> None:
    clock = running([Stop(10 * HOUR, 20 * HOUR, NIGHT)], deadline=DAY + 10 * HOUR)
    assert clock.next_look(0) == 28 * HOUR
    assert clock.turn.reminder_to_send(28 * HOUR - 1) is None
    assert clock.turn.reminder_to_send(28 * HOUR) == 25
    assert clock.turn.reminder_to_send(DAY + 10 * HOUR - MINUTE) == 5
