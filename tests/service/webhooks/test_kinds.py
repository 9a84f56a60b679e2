"""Which kinds of events a commit means for whom."""

from __future__ import annotations

import pytest

from engine import DEFAULT
from engine.events import GameEnded, GameStarted, MatchEnded, SeatPassed, TurnStarted
from engine.phase_names import BATTLE
from service.clocks.events import (
    ClockStarted,
    ClockStopped,
    DeadlineMoved,
    ExtensionAsked,
    ExtensionGranted,
    GamePaused,
    GameResumed,
    PauseAsked,
    SeatGivenToBot,
    SeatOpened,
    SeatReminded,
    SeatSubstituted,
    SeatTakenBack,
    SeatTimedOut,
)
from service.games.commits import Commit
from service.games.events import CardsShown, Event, SeatTaken, TableOpened
from service.webhooks.kinds import kinds_of

ANNA, BEPPE = "p110123456789", "p120123456789"
OPENED = TableOpened(ANNA, DEFAULT, {}, 3, "auto", "", 1, seeded=False)
SEATED = SeatTaken(1, BEPPE, "")
STARTED = GameStarted(DEFAULT, 1, (), 3)
PASSED = SeatPassed(0, final=True, forced=False)
TURN = TurnStarted(1, BATTLE)
ENDED = GameEnded((1,), ("regions",))
MATCH_ENDED = MatchEnded((1,), ("points",))


STOPPED = ClockStopped(0, 0, 0)
RUNS = ClockStarted(1, 0, 0, [], "UTC")
REMINDED = SeatReminded(1, 25)
TIMED_OUT = SeatTimedOut(1, 1)
TO_BOT = SeatGivenToBot(1, "steady")
OPENED_SEAT = SeatOpened(1, BEPPE)
MY_CLOCK_STOPPED = ClockStopped(1, 0, 0)


def told(seat: int | None, *events: Event, clocked: bool = False) -> list[str]:
    """Return the kinds of events that a commit means for a seat."""
    return list(kinds_of(Commit(1, 0, ANNA, "", "", events), seat, clocked=clocked))


def told_each(*events: Event) -> list[list[str]]:
    """Return what a commit to a game with a clock means for seat 1, for seat 0, and for an owner who watches."""
    return [told(seat, *events, clocked=True) for seat in (1, 0, None)]


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_change_of_the_table_is_no_move(seat: int | None) -> None:
    assert told(seat, OPENED, SEATED) == ["table.changed"]


def test_the_start_is_told_before_the_first_turn() -> None:
    assert told(1, OPENED, SEATED, STARTED, TURN) == ["game.started", "turn.started"]
    assert told(0, SEATED, STARTED, TURN) == ["game.started"]


def test_a_turn_is_told_to_the_seat_that_the_game_waits_for() -> None:
    assert told(1, PASSED, TURN) == ["game.moved", "turn.started"]
    assert told(0, PASSED, TURN) == ["game.moved"]
    assert told(None, PASSED, TURN) == ["game.moved"]


@pytest.mark.parametrize("end", [ENDED, MATCH_ENDED])
def test_the_end_is_told_to_all(end: Event) -> None:
    assert told(0, PASSED, end) == ["game.moved", "game.ended"]
    assert told(None, PASSED, end) == ["game.moved", "game.ended"]


# With a clock


def test_with_a_clock_a_turn_is_told_when_the_clock_starts() -> None:
    """The clock's event comes after the game's events."""
    moved = ["game.moved"]
    assert told_each(PASSED, TURN, STOPPED, RUNS) == [["game.moved", "turn.started"], moved, moved]
    started = ["game.started"]
    assert told_each(SEATED, STARTED, TURN, RUNS) == [["game.started", "turn.started"], started, started]


def test_a_turn_in_which_a_bot_stands_in_is_not_told() -> None:
    assert told_each(PASSED, TURN, STOPPED) == [["game.moved"]] * 3


def test_who_takes_the_seat_back_or_sits_down_as_a_substitute_is_told_of_the_turn_that_waits() -> None:
    for came in (SeatTakenBack(1, BEPPE), SeatSubstituted(1, BEPPE)):
        assert told_each(came, RUNS) == [["table.changed", "turn.started"], ["table.changed"], ["table.changed"]]
        assert told_each(came) == [["table.changed"]] * 3


def test_a_reminder_is_told_to_its_seat_alone() -> None:
    assert told_each(REMINDED) == [["turn.reminder"], [], []]


def test_that_my_time_was_over_is_told_before_what_followed() -> None:
    moved = ["game.moved"]
    passed = SeatPassed(1, final=True, forced=True)
    to_the_next = (TIMED_OUT, passed, TurnStarted(0, BATTLE), MY_CLOCK_STOPPED)
    assert told_each(*to_the_next, ClockStarted(0, 0, 0, [], "UTC")) == [
        ["turn.expired", "game.moved"],
        ["game.moved", "turn.started"],
        moved,
    ]
    again = told(1, TIMED_OUT, passed, TURN, MY_CLOCK_STOPPED, RUNS, clocked=True)
    assert again == ["turn.expired", "game.moved", "turn.started"]


@pytest.mark.parametrize("became", [TO_BOT, OPENED_SEAT])
def test_a_seat_that_is_taken_from_its_player_changes_the_table(became: Event) -> None:
    changed = ["table.changed"]
    assert told_each(TIMED_OUT, became, MY_CLOCK_STOPPED) == [["turn.expired", "table.changed"], changed, changed]


@pytest.mark.parametrize("end", [ENDED, MATCH_ENDED])
def test_the_end_is_told_though_the_clock_has_the_last_word(end: Event) -> None:
    assert told_each(PASSED, end, STOPPED) == [["game.moved", "game.ended"]] * 3
    assert told_each(TIMED_OUT, PASSED, end, STOPPED)[0] == ["turn.expired", "game.moved", "game.ended"]


def test_the_end_of_one_game_of_a_match_is_no_end() -> None:
    assert told(1, PASSED, ENDED, STARTED, TURN) == ["game.started", "turn.started"]


@pytest.mark.parametrize(
    "event",
    [
        DeadlineMoved(1, 0, "pause", 0, []),
        PauseAsked(1),
        GamePaused(),
        GameResumed(1),
        ExtensionAsked(1, 0),
        ExtensionGranted(1),
    ],
)
def test_whatever_else_is_said_of_the_clock_changes_the_table(event: Event) -> None:
    assert told_each(event) == [["table.changed"]] * 3


@pytest.mark.parametrize("clocked", [False, True])
def test_shown_cards_are_told_to_those_who_see_them(clocked: bool) -> None:
    shown = CardsShown(0, (1, 2), 2, 7)
    assert [told(seat, shown, clocked=clocked) for seat in (0, 1, 2, 3, None)] == [
        [],
        ["cards.shown"],
        ["cards.shown"],
        [],
        [],
    ]
