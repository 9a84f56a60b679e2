"""Test clocks: the owner lets a turn's time pass immediately, and everything that depends on it follows."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service.clocks.game_clock import Turn
from service.clocks.nights import Habits
from service.clocks.settings import BOT, OPEN_SEAT, RESIGN
from service.games.table import RUNNING
from service.play.consent import ask_for_extension, ask_for_pause, grant_extension
from service.play.test_clock import advance
from service.problems import Problem
from service.records.document import as_json
from service.records.reading import read_records
from service.records.report import Report
from service.records.verifying import verify
from service.timekeeping.vacations import go_on_vacation
from service.views.game import show_game

from ..records.making import sign, text_of
from .weeks import DAY, HOUR, SECOND, Weeks, bank, per_move

ROME = Habits("Europe/Rome", ("23:00", "07:00"))
OPEN_EYED = {"sleep_hours": False, "vacation": False}


@pytest.fixture
def duel(weeks: Weeks) -> tuple[str, str]:
    """A two-player game with a day for each move, and its owner."""
    anna = weeks.player("Anna")
    return weeks.open(per_move(**OPEN_EYED), anna, weeks.player("Bruno")), anna


def turn(weeks: Weeks, game: str) -> Turn:
    """Return the turn whose clock is running."""
    clock = weeks.game(game).table.clock
    assert clock is not None
    assert clock.turn is not None
    return clock.turn


def last_events(weeks: Weeks, game: str) -> list[dict[str, Any]]:
    """Return the events of the last commit."""
    events: list[dict[str, Any]] = weeks.game(game).commits[-1]["events"]
    return events


def test_reminders_and_the_timeout_come_at_once(weeks: Weeks, duel: tuple[str, str]) -> None:
    game, anna = duel
    began, first = weeks.now, turn(weeks, game)
    for seconds, left in ((18 * 3_600, 25), (5 * 3_600, 5)):
        advance(weeks.games, game, anna, seconds=seconds)
        weeks.round()
        assert last_events(weeks, game) == [{"type": "seat-reminded", "seat": first.seat, "left": left}]
    assert turn(weeks, game).deadline == began + HOUR
    advance(weeks.games, game, anna, until=began + HOUR)
    weeks.round()
    assert last_events(weeks, game)[0] == {"type": "seat-timed-out", "seat": first.seat, "misses": 1}
    assert {commit["at"] for commit in weeks.game(game).commits} == {began}
    assert (turn(weeks, game).advanced, turn(weeks, game).deadline) == (0, began + DAY)


def test_a_request_finds_the_timeout_before_the_clock_does(weeks: Weeks, duel: tuple[str, str]) -> None:
    game, anna = duel
    advance(weeks.games, game, anna, seconds=86_400)
    assert sum(weeks.look(game).table.clock.misses) == 1  # type: ignore[union-attr]


def test_no_more_time_passes_than_the_turn_has_left(weeks: Weeks, duel: tuple[str, str]) -> None:
    game, anna = duel
    weeks.jump(weeks.now + HOUR)
    advance(weeks.games, game, anna, seconds=14 * 86_400)
    assert last_events(weeks, game)[0]["by"] == DAY - HOUR
    assert turn(weeks, game).deadline == weeks.now
    assert weeks.next_look() is not None
    assert weeks.next_look() <= weeks.now  # type: ignore[operator]


def test_the_view_says_so(weeks: Weeks, duel: tuple[str, str]) -> None:
    game, anna = duel
    assert "advanced" not in show_game(weeks.game(game), None)["clock"]
    for _ in range(2):
        advance(weeks.games, game, anna, seconds=3_600)
    for player in (anna, None):
        shown = show_game(weeks.game(game), player)["clock"]
        assert shown["advanced"] == 2 * HOUR
        assert shown["turn"]["why"] == [
            "1 d for this move",
            "2 h less, because the owner advanced the clock for a test",
        ]
    weeks.move(game)
    assert show_game(weeks.game(game), anna)["clock"]["advanced"] == 2 * HOUR


def test_the_time_is_taken_from_the_bank(weeks: Weeks) -> None:
    anna = weeks.player("Anna")
    game = weeks.open(bank(**OPEN_EYED), anna, weeks.player("Bruno"))
    seat = turn(weeks, game).seat
    advance(weeks.games, game, anna, seconds=7_200)
    weeks.jump(weeks.now + HOUR)
    weeks.move(game)
    clock = weeks.game(game).table.clock
    assert clock is not None
    assert clock.banks[seat] == DAY - 3 * HOUR + 4 * HOUR


def test_nights_are_left_out(weeks: Weeks) -> None:
    """It is noon UTC. In Rome, nights last from 23:00 to 7:00, so a turn of twelve hours ends at 9:00 in Rome."""
    anna = weeks.player("Anna", ROME)
    game = weeks.open(per_move(43_200), anna, weeks.player("Bruno", ROME))
    deadline = turn(weeks, game).deadline
    assert deadline == weeks.now + 20 * HOUR
    advance(weeks.games, game, anna, until=weeks.now + 15 * HOUR)
    assert turn(weeks, game).advanced == 10 * HOUR
    assert turn(weeks, game).deadline == weeks.now + 2 * HOUR
    ask_for_extension_by_all(weeks, game, 10 * 3_600)
    assert turn(weeks, game).deadline == deadline


def ask_for_extension_by_all(weeks: Weeks, game: str, seconds: int) -> None:
    """Let all players grant more time."""
    player = weeks.game(game).player_to_act()
    assert player is not None
    ask_for_extension(weeks.games, game, player, seconds)
    for seat in weeks.game(game).table.seats:
        if seat.player != player:
            grant_extension(weeks.games, game, seat.player or "", seconds)


def test_an_outage_is_credited_once(weeks: Weeks, duel: tuple[str, str]) -> None:
    game, anna = duel
    began = weeks.now
    weeks.down(began + 3 * HOUR)
    weeks.round()
    advance(weeks.games, game, anna, seconds=3_600)
    weeks.down(weeks.now + 2 * HOUR)
    weeks.round()
    assert turn(weeks, game).deadline == began + DAY + 3 * HOUR - HOUR + 2 * HOUR


def test_a_vacation_begins_by_itself(weeks: Weeks) -> None:
    anna = weeks.player("Anna", saved=10 * DAY, auto=True)
    game = weeks.open(per_move(sleep_hours=False), anna, weeks.player("Bruno", saved=10 * DAY, auto=True))
    weeks.jump(weeks.now + HOUR)
    advance(weeks.games, game, anna, seconds=86_400)
    weeks.round()
    assert [stop.reason for stop in turn(weeks, game).stops] == ["vacation"]


def test_a_vacation_begins_with_a_turn_that_has_just_begun(weeks: Weeks) -> None:
    """The owner advances the clock when the turn is five seconds old.

    A minute before the deadline, the turn had not begun.
    """
    anna = weeks.player("Anna", saved=10 * DAY, auto=True)
    game = weeks.open(per_move(sleep_hours=False), anna, weeks.player("Bruno", saved=10 * DAY, auto=True))
    since = weeks.now
    weeks.jump(since + 5 * SECOND)
    advance(weeks.games, game, anna, seconds=86_400)
    weeks.round()
    [stop] = turn(weeks, game).stops
    assert (stop.begin, stop.reason) == (since, "vacation")
    assert turn(weeks, game).deadline == stop.until + 5 * SECOND
    assert not turn(weeks, game).timed_out


# Advances during a stop


def asleep(weeks: Weeks) -> tuple[str, str]:
    """Open a game at noon and go to two hours after midnight, when all players sleep; return the game and its owner."""
    anna = weeks.player("Anna", ROME)
    game = weeks.open(per_move(at_timeout=RESIGN, misses=1), anna, weeks.player("Bruno", ROME))
    weeks.jump(weeks.now + 14 * HOUR)
    return game, anna


def test_at_night_the_time_runs_out_now(weeks: Weeks, monkeypatch: pytest.MonkeyPatch) -> None:
    game, anna = asleep(weeks)
    late = list[float]()
    monkeypatch.setattr("service.timekeeping.deadlines.LATENESS.observe", late.append)
    [night] = turn(weeks, game).stops
    assert night.begin < weeks.now < night.until
    advance(weeks.games, game, anna, seconds=86_400)
    assert turn(weeks, game).deadline == weeks.now
    assert turn(weeks, game).stops == [night._replace(until=weeks.now)]
    weeks.jump(weeks.now + SECOND)
    weeks.round()
    ended = weeks.game(game)
    types = [event["type"] for event in ended.commits[-1]["events"]]
    assert "seat-timed-out" in types
    assert "deadline-moved" not in types
    assert late == [1.0]
    assert verified(as_json(ended, None)).finding is None


def test_at_night_a_granted_extension_counts_from_now(weeks: Weeks) -> None:
    game, anna = asleep(weeks)
    advance(weeks.games, game, anna, seconds=3 * 3_600)
    clock = weeks.game(game).table.clock
    assert clock is not None
    now = weeks.now
    ended = clock.advance_event(now, DAY)
    assert ended is not None
    clock.apply(now, ended)
    assert clock.move_event("outage") is None
    extended = clock.move_event("extension", extra=HOUR)
    assert extended is not None
    assert extended.deadline > now + HOUR


def test_during_a_vacation_the_time_runs_out_now(weeks: Weeks) -> None:
    """No second vacation begins hours in the past."""
    anna = weeks.player("Anna", saved=10 * DAY, auto=True)
    game = weeks.open(per_move(sleep_hours=False), anna, weeks.player("Bruno", saved=10 * DAY, auto=True))
    player = weeks.game(game).player_to_act()
    assert player is not None
    weeks.jump(weeks.now + HOUR)
    began = weeks.now
    go_on_vacation(weeks.games, player, began + DAY)
    weeks.round()
    weeks.jump(began + 5 * HOUR)
    advance(weeks.games, game, anna, seconds=86_400)
    assert turn(weeks, game).deadline == weeks.now
    assert [(stop.begin, stop.until) for stop in turn(weeks, game).stops] == [(began, weeks.now)]
    weeks.round()
    assert weeks.hours_of(player).vacation.since == began
    assert last_events(weeks, game)[0]["type"] == "seat-timed-out"


@pytest.mark.parametrize("at_timeout", [BOT, OPEN_SEAT, RESIGN])
def test_absence_is_seen_in_seconds(weeks: Weeks, at_timeout: str) -> None:
    anna = weeks.player("Anna")
    game = weeks.open(per_move(at_timeout=at_timeout, misses=2, **OPEN_EYED), anna, weeks.player("Bruno"))
    for _ in range(4):
        if weeks.game(game).status == RUNNING and weeks.game(game).player_to_act() is not None:
            advance(weeks.games, game, anna, seconds=86_400)
            weeks.round()
    found = {event["type"] for commit in weeks.game(game).commits for event in commit["events"]}
    assert {BOT: "seat-given-to-bot", OPEN_SEAT: "seat-opened", RESIGN: "seat-resigned"}[at_timeout] in found


# Refusals


def refusal(call: Callable[..., object], *args: Any, **more: Any) -> str:
    """Return the code with which a request is refused."""
    with pytest.raises(Problem) as caught:
        call(*args, **more)
    return caught.value.code


def test_who_may_not_advance_a_clock(weeks: Weeks, duel: tuple[str, str]) -> None:
    game, anna = duel
    others = [weeks.player("Carla"), *(seat.player for seat in weeks.game(game).table.seats if seat.player != anna)]
    assert {refusal(advance, weeks.games, game, player, seconds=1) for player in others} == {"not-the-owner"}
    off = replace(weeks.games, test_clock=False)
    assert {refusal(advance, off, game, player, seconds=1) for player in [anna, *others]} == {"test-clock-off"}
    assert weeks.game(game).version == 2


def test_a_clock_that_does_not_run_is_not_advanced(weeks: Weeks, duel: tuple[str, str]) -> None:
    game, anna = duel
    without = weeks.open(None, anna, weeks.player("Carla"))
    assert refusal(advance, weeks.games, without, anna, seconds=1) == "no-clock"
    for seat in weeks.game(game).table.seats:
        ask_for_pause(weeks.games, game, seat.player or "")
    assert refusal(advance, weeks.games, game, anna, seconds=1) == "game-paused"
    bots = weeks.open(per_move(at_timeout=BOT, **OPEN_EYED), anna, weeks.player("Dora"))
    while weeks.game(bots).player_to_act() is not None:
        advance(weeks.games, bots, anna, seconds=86_400)
        weeks.round()
    assert refusal(advance, weeks.games, bots, anna, seconds=1) == "clock-stopped"
    assert refusal(advance, weeks.games, "00" + "0" * 16, anna, seconds=1) == "unknown-game"


def test_a_time_that_has_passed_changes_nothing(weeks: Weeks, duel: tuple[str, str]) -> None:
    game, anna = duel
    advance(weeks.games, game, anna, until=weeks.now - HOUR)
    assert weeks.game(game).version == 2


# Records


def record_of(weeks: Weeks) -> bytes:
    """Return the record of a game that has ended and whose clock was advanced in every possible way."""
    anna = weeks.player("Anna", ROME)
    game = weeks.open(bank(43_200, 3_600, 86_400, at_timeout=RESIGN, misses=2), anna, weeks.player("Bruno"))
    advance(weeks.games, game, anna, seconds=9 * 3_600)
    weeks.round()
    ask_for_extension_by_all(weeks, game, 3_600)
    weeks.down(weeks.now + 2 * HOUR)
    weeks.round()
    weeks.move(game)
    while weeks.game(game).status == RUNNING:
        weeks.jump(weeks.now + SECOND)
        advance(weeks.games, game, anna, until=turn(weeks, game).deadline)
        weeks.round()
    return as_json(weeks.game(game), None)


def verified(text: bytes) -> Report:
    """Return the report on a record."""
    [record] = read_records(io.BytesIO(text))
    assert not isinstance(record, Problem)
    return verify(record, [])


def test_the_record_is_valid(weeks: Weeks) -> None:
    report = verified(record_of(weeks))
    assert report.finding is None


def test_the_record_is_valid_if_time_passes_during_the_request(weeks: Weeks) -> None:
    """The machine's clock advances by a millisecond each time it is read."""
    anna = weeks.player("Anna")
    game = weeks.open(per_move(at_timeout=RESIGN, misses=1, **OPEN_EYED), anna, weeks.player("Bruno"))
    ticks = itertools.count(weeks.now)
    advance(replace(weeks.games, now=ticks.__next__), game, anna, seconds=86_400)
    weeks.jump(next(ticks))
    weeks.round()
    assert weeks.game(game).revealed
    assert verified(as_json(weeks.game(game), None)).finding is None


@pytest.mark.parametrize(
    "changes",
    [
        {"by": 1},
        {"by": 0},
        {"by": -1},
        {"by": 10**15},
        {"deadline": 1},
        {"seat": 9},
        {"stops": [{"begin": 1, "until": 2, "reason": "night"}]},
    ],
)
def test_forged_advances_are_found(weeks: Weeks, changes: dict[str, Any]) -> None:
    record = json.loads(record_of(weeks))
    advances(record)[0]["events"][0].update(changes)
    finding = verified(text_of(sign(record))).finding
    assert finding is not None
    assert finding.code in ("clock", "event")


def test_only_the_owner_can_have_advanced_a_clock(weeks: Weeks) -> None:
    record = json.loads(record_of(weeks))
    others = {commit["by"] for commit in record["commits"]} - {advances(record)[0]["by"]}
    for by in others:
        advances(record)[0]["by"] = by
        finding = verified(text_of(sign(record))).finding
        assert finding is not None
        assert finding.code == "author"


def advances(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the commits of a record that advance a clock."""
    return [commit for commit in record["commits"] if commit["events"][0]["type"] == "clock-advanced"]
