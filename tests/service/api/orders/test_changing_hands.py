"""Orders end when their seat changes hands, and with their game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from service.games.repository import Games
from service.orders.following import follow
from service.store import keys
from service.timekeeping.deadlines import keep_time

from ...servers import Valkey
from ..conftest import Json, Person
from .conftest import CLOCK, KEEP, NOTHING, orders_of, plays, put, sit_down, work


def timed_out(games: Games, game: Json) -> None:
    """Let the turn's time run out, and record the timeout."""
    later = games.now() + 2 * 86_400_000
    games.store.presence.beat("clock", later)
    games.store.presence.beat("web", later)
    late = replace(games, now=lambda: later)
    while keep_time(late, game["id"]):
        pass


def away(anna: Person, bruno: Person, **clock: object) -> Json:
    """Return a game on Anna's turn in a battle, with these settings of the clock for an absent player's seat."""
    return sit_down(anna, bruno, clock={**CLOCK, "vacation": False, **clock})


def test_a_bot_that_takes_the_seat_follows_no_orders(anna: Person, bruno: Person, games: Games) -> None:
    game = away(anna, bruno, at_timeout="bot")
    put(anna, game, KEEP)
    assert not follow(games, game["id"])
    timed_out(games, game)
    with_bot = anna.get(f"/games/{game['id']}")
    assert with_bot["seated"][0]["bot"] == "steady"
    kept = orders_of(anna, game)
    assert (kept["after_battle"], kept["history"][-1]["reason"]) == (None, "seat-with-bot")
    assert put(anna, game, KEEP, 409)["code"] == "seat-with-bot"
    anna.post(f"/games/{game['id']}/return")
    assert orders_of(anna, game) == kept
    assert put(anna, game, KEEP)["version"] == kept["version"] + 1


def test_who_sits_down_on_an_opened_seat_finds_nothing_there(
    anna: Person, bruno: Person, person: Callable[..., Person], games: Games
) -> None:
    game = away(anna, bruno, at_timeout="open-seat")
    put(anna, game, {"after_battle": "discard"})
    follow(games, game["id"])
    timed_out(games, game)
    carla = person("Carla")
    carla.post(f"/games/{game['id']}/join")
    assert orders_of(carla, game) == {"seat": 0, "version": 0, **NOTHING, "history": []}
    assert orders_of(anna, game, 403)["code"] == "not-seated"
    assert put(anna, game, KEEP, 403)["code"] == "not-seated"


def test_resigning_withdraws_them(anna: Person, bruno: Person, person: Callable[..., Person]) -> None:
    game = anna.open_game(seats=3, clock=CLOCK)
    for other in (bruno, person("Carla")):
        other.post(f"/games/{game['id']}/join")
    put(anna, game, KEEP)
    left = anna.post(f"/games/{game['id']}/resign")
    kept = orders_of(anna, game)
    assert kept["history"] == [
        {"version": left["version"], "order": None, "happened": "cancelled", "reason": "resigned"}
    ]
    assert put(anna, game, KEEP, 409)["code"] == "already-resigned"
    assert anna.ask("DELETE", f"/games/{game['id']}/orders").status_code == 200


def test_nothing_stands_when_the_game_is_over(
    anna: Person, bruno: Person, games: Games, log_server: Valkey, last_battle: Json
) -> None:
    anna.move(last_battle, plays(last_battle)[0])
    put(anna, last_battle, {**KEEP, "battle": {"type": "pass"}})
    bruno.move(bruno.get(f"/games/{last_battle['id']}"), {"type": "pass"})
    assert work(games, last_battle) == 1
    over = anna.get(f"/games/{last_battle['id']}")
    assert over["status"] == "finished"
    with log_server.client() as client:
        assert not client.exists(keys.of_game(over["id"], "orders"))
    moved, last = orders_of(anna, over)["history"]
    assert (moved["happened"], moved["version"]) == ("moved", over["version"])
    assert last == {"version": over["version"], "order": None, "happened": "cancelled", "reason": "game-over"}
