"""What a commit is to whom."""

from __future__ import annotations

from typing import Any

import pytest

from service.webhooks.kinds import kinds_of

OPENED = {"type": "table-opened"}
SEATED = {"type": "seat-taken", "seat": 1}
STARTED = {"type": "game-started"}
PASSED = {"type": "seat-passed", "seat": 0}
TURN = {"type": "turn-started", "seat": 1}
ENDED = {"type": "game-ended", "winners": [1]}
MATCH_ENDED = {"type": "match-ended", "winners": [1]}


def told(seat: int | None, *events: dict[str, Any]) -> list[str]:
    """Return what a seat is told of a commit."""
    return list(kinds_of({"events": list(events)}, seat))


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
def test_the_end_is_told_to_all(end: dict[str, Any]) -> None:
    assert told(0, PASSED, end) == ["game.moved", "game.ended"]
    assert told(None, PASSED, end) == ["game.moved", "game.ended"]
