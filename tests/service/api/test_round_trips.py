"""How many round trips to a server a request needs, because they determine its latency."""

from __future__ import annotations

from typing import Any

import pytest
from redis.connection import AbstractConnection

from service.games.repository import Games
from service.play.moves import play_bot_turn

from .conftest import Json, Person


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that are sent to a server from now on: one entry for each response that is awaited."""
    sent: list[str] = []
    send = AbstractConnection.send_packed_command

    def counted(self: AbstractConnection, command: Any, check_health: bool = True) -> None:
        sent.append(repr(command)[:60])
        send(self, command, check_health)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", counted)
    return sent


def test_a_move_takes_at_most_three_round_trips(
    anna: Person, games: Games, against_bots: Json, asked: list[str]
) -> None:
    game = against_bots
    games.hints.beats()
    for _ in range(10):
        while not game["moves"]:
            play_bot_turn(games, game["id"])
            game = anna.get(f"/games/{game['id']}")
        asked.clear()
        game = anna.move(game, game["moves"][0])
        # The player with the log; the append; and a hint, because a bot is next.
        assert len(asked) <= 3, asked


def test_a_move_in_a_game_with_a_clock_takes_four(anna: Person, bruno: Person, games: Games, asked: list[str]) -> None:
    clock = {"kind": "per-move", "seconds": 86_400}
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock)
    bruno.post(f"/games/{game['id']}/join")
    for person in (anna, bruno):
        person.ask("PUT", f"/games/{game['id']}/orders", json={"after_battle": "keep"})
    games.hints.beats()
    for _ in range(5):
        views = [person.get(f"/games/{game['id']}") for person in (anna, bruno)]
        mover, view = next((who, view) for who, view in zip((anna, bruno), views, strict=True) if view["moves"])
        asked.clear()
        mover.move(view, view["moves"][-1])
        # The player with the log; the periods that stop the clock; the append; and a hint, because the next seat has
        # orders.
        assert len(asked) == 4, asked


@pytest.mark.parametrize("path", ["", "?version=1", "/events"])
def test_a_look_takes_one_round_trip(
    anna: Person, spectator: Person, against_bots: Json, asked: list[str], path: str
) -> None:
    for person in (anna, spectator):
        asked.clear()
        person.get(f"/games/{against_bots['id']}{path}")
        assert len(asked) == 1, asked


def test_a_look_at_orders_takes_two(anna: Person, against_bots: Json, asked: list[str]) -> None:
    anna.get(f"/games/{against_bots['id']}/orders")
    # The player with the log; and the orders.
    assert len(asked) == 2, asked


def test_what_cannot_be_a_token_takes_none(anna: Person, against_bots: Json, asked: list[str]) -> None:
    anna.headers = {"Authorization": "Bearer secret"}
    anna.get(f"/games/{against_bots['id']}", 401)
    anna.move(against_bots, against_bots["moves"][0], 401)
    assert asked == []
