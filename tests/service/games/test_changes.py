"""Changes: a player's thinking time follows from the log, so every process computes the same value."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine import SeededChance, commitment, resign, start
from engine.events import SeatPassed
from service.clocks.events import GameResumed
from service.games.changes import thinking_time
from service.games.commits import Commit
from service.games.events import Event, HintAsked, SeatTaken, TableOpened
from service.games.game import Snapshot, unopened_game

SEED = bytes(32)
ANNA, BRUNO = "p17abcdefghjk", "p17bcdefghjkm"
OPENED = TableOpened(ANNA, "zman-2018-duel", {}, 2, "auto", commitment(SEED), 1, False)
BEGAN = 1_000


def running() -> Snapshot:
    """Return a two-player game without a clock that began at a given time."""
    seated = unopened_game("17abcdefghjkmnpqrs", SEED, OPENED).after(0, [OPENED, SeatTaken(0, ANNA, "")])
    seated = seated.after(0, [SeatTaken(1, BRUNO, "")])
    return seated.after(BEGAN, [*start("zman-2018-duel", 2, SeededChance(SEED, [b"", b""]))])


def thought(by: str, *events: Event) -> int | None:
    """Return the thinking time for a commit of these events, made 500 ms after the previous one."""
    return thinking_time(running(), Commit(4, BEGAN + 500, by, "key", "", events))


def test_a_move_takes_the_time_since_the_last_commit() -> None:
    assert thought(ANNA, SeatPassed(0, final=True, forced=False)) == 500


def test_asking_for_a_hint_starts_no_new_turn() -> None:
    asked = running().after(BEGAN + 300, [HintAsked(0, 3)], ANNA)
    moved = Commit(5, BEGAN + 500, ANNA, "key", "", [SeatPassed(0, final=True, forced=False)])
    assert (asked.changed_at, thinking_time(asked, moved)) == (BEGAN + 300, 500)


def test_what_a_bot_the_clock_or_somebody_else_does_takes_no_player_s_time() -> None:
    for by in ("bot:0", "absent:0", "clock", "p17cdefghjkmn"):
        assert thought(by, SeatPassed(0, final=True, forced=False)) is None


def beginnings() -> list[Sequence[Event]]:
    """Return events of players' commits that make no move."""
    game = running()
    assert game.state is not None
    resigned = [*resign(game.state.copy(), 0, game.chance)]
    return [
        [*start("zman-2018-duel", 2, SeededChance(SEED, [b"", b""]))],
        resigned,
        [GameResumed(0), *resigned],
        [SeatTaken(0, ANNA, ""), SeatPassed(0, final=True, forced=False)],
    ]


@pytest.mark.parametrize("events", beginnings(), ids=lambda events: type(events[0]).__name__)
def test_whoever_starts_resigns_or_sits_down_has_not_moved(events: Sequence[Event]) -> None:
    assert thought(ANNA, *events) is None
