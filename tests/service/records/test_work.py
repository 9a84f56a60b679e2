"""Work: the computation that a short record can cause is limited, and stops are compared in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from service.clocks.game_clock import OUTAGE, GameClock, Turn
from service.clocks.nights import Habits, stops_by_habit
from service.clocks.reckoning import Stop, in_order, run_out
from service.clocks.vacation import VACATION
from service.problems import Problem
from service.records import clock_events
from service.records.clock_events import STOPS_A_DAY, Stops, _covers

from ..correspondence.weeks import DAY, HOUR, MONDAY, per_move

MOST_DAYS = 2_000
VACATION_DAYS = 400
NIGHTS = Habits("Europe/Rome", ("22:00", "06:00"))


@pytest.fixture
def nights(monkeypatch: pytest.MonkeyPatch) -> list[Stop]:
    """Return the number of nights computed so far; the verifier may compute those of 2,000 days."""
    computed: list[Stop] = []

    def counting(*given: Any) -> Iterator[Stop]:
        for stop in stops_by_habit(*given):
            computed.append(stop)
            yield stop

    monkeypatch.setattr("service.clocks.game_clock.stops_by_habit", counting)
    monkeypatch.setattr(clock_events, "MOST_DAYS", MOST_DAYS)
    return computed


def clock_of(stops: list[Stop], habits: Habits) -> GameClock:
    """Return a clock with an hour for each move that was stopped by these stops."""
    deadline, met = run_out(MONDAY, HOUR, in_order(stops, stops_by_habit(MONDAY, habits, ())))
    turn = Turn(0, MONDAY, deadline, HOUR, met, habits)
    return GameClock(per_move(3_600), [0], [0], turn, paused=MONDAY + 1)


def times(check: Callable[[], object]) -> int:
    """Return how often something is checked before the record is refused as too large."""
    for number in range(MOST_DAYS + 1):
        try:
            check()
        except Problem:
            return number
    pytest.fail("the work is not bounded")


def test_pauses_in_a_long_vacation_are_too_much_work(nights: list[Stop]) -> None:
    clock = clock_of([Stop(MONDAY, MONDAY + VACATION_DAYS * DAY, VACATION)], NIGHTS)
    stops = Stops()
    assert times(lambda: stops.check_resumption(clock, MONDAY + 2, None)) == MOST_DAYS // VACATION_DAYS - 1
    assert VACATION_DAYS < len(nights) <= MOST_DAYS


def test_extensions_in_a_long_vacation_are_too_much_work(nights: list[Stop]) -> None:
    clock = clock_of([Stop(MONDAY, MONDAY + VACATION_DAYS * DAY, VACATION)], NIGHTS)
    stops = Stops()
    assert times(lambda: stops.extend(clock, HOUR)) == MOST_DAYS // VACATION_DAYS - 1
    assert VACATION_DAYS < len(nights) <= MOST_DAYS


def test_pauses_between_many_stops_are_too_much_work(nights: list[Stop]) -> None:
    outages = [Stop(MONDAY + 20 * index, MONDAY + 20 * index + 10, OUTAGE) for index in range(1_000)]
    clock = clock_of(outages, Habits())
    clock.paused = MONDAY
    stops = Stops()
    assert times(lambda: stops.check_resumption(clock, MONDAY, None)) <= MOST_DAYS * STOPS_A_DAY // len(outages)
    assert nights == []


def stops_within(random: Random, count: int) -> list[Stop]:
    """Return stops within 40 ms that do not overlap, in order; some of them touch."""
    marks = sorted(random.choices(range(40), k=2 * count))
    return [Stop(begin, until, OUTAGE) for begin, until in zip(marks[::2], marks[1::2], strict=True) if begin < until]


def test_stops_cover_others_if_each_is_within_touching_stops() -> None:
    random, found = Random(7), []
    for _ in range(2_000):
        stops, inner = stops_within(random, 8), stops_within(random, random.randrange(4))
        covered = {ms for stop in stops for ms in range(stop.begin, stop.until)}
        expected = all({*range(stop.begin, stop.until)} <= covered for stop in inner)
        assert _covers(stops, inner) == expected, (stops, inner)
        found.append(expected)
    assert 100 < sum(found) < 1_900
