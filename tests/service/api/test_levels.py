"""Levels: wherever a bot gets a seat, a person can choose any bot, and that bot then makes the seat's moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.bots import BOTS
from service.games.repository import Games, load
from service.play.moves import play_bot_turn
from service.timekeeping.deadlines import keep_time

from ..times import DAY, Time, clock
from .conftest import Json, Person
from .writes import DUEL

pytestmark = pytest.mark.parametrize("bot", BOTS)


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


def level(game: Json, seat: int) -> tuple[str | None, str | None]:
    """Return the key and label of a seat's bot."""
    return game["seated"][seat]["bot"], game["seated"][seat]["label"]


def of_two(anna: Person, bruno: Person, **asked: Any) -> Json:
    """Return a running two-player game."""
    game = anna.open_game(**DUEL, **asked)
    return bruno.post(f"/games/{game['id']}/join")


def test_each_is_listed_in_one_line(spectator: Person, bot: str) -> None:
    """The weakest bot comes first; each of the others says how often it beats another bot."""
    listed = spectator.get("/bots")["bots"]
    assert [one["key"] for one in listed] == list(BOTS)
    (own,) = (one for one in listed if one["key"] == bot)
    assert "\n" not in own["summary"]
    assert ("bots it wins" in own["summary"]) == (bot != listed[0]["key"])


def test_when_a_game_is_opened(anna: Person, games: Games, bot: str) -> None:
    game = anna.open_game(bots=[{"seat": 0, "bot": bot}, {"seat": 1, "bot": bot}])
    assert [level(game, seat) for seat in (0, 1)] == [(bot, BOTS[bot].label)] * 2
    while not anna.get(f"/games/{game['id']}")["moves"]:
        assert load(games, game["id"]).search_to_act == BOTS[bot].searches
        assert play_bot_turn(games, game["id"])


def test_when_the_owner_gives_a_free_seat_away(anna: Person, bot: str) -> None:
    game = anna.open_game(start="owner")["id"]
    assert level(anna.post(f"/games/{game}/seat-bot", {"seat": 2, "bot": bot}), 2) == (bot, BOTS[bot].label)


def test_when_the_host_gives_a_seat_away(anna: Person, bruno: Person, host: Person, bot: str) -> None:
    game = of_two(anna, bruno)["id"]
    host.post(f"/admin/games/{game}/give-seat", {"seat": 1, "bot": bot, "reason": "away"})
    assert level(anna.get(f"/games/{game}"), 1) == (bot, BOTS[bot].label)


def test_when_the_time_of_a_player_runs_out(anna: Person, bruno: Person, games: Games, time: Time, bot: str) -> None:
    game = of_two(anna, bruno, clock=clock(at_timeout="bot", bot=bot))
    time.passes(DAY)
    assert keep_time(games, game["id"])
    assert level(anna.get(f"/games/{game['id']}"), game["position"]["turn"]) == (bot, BOTS[bot].label)


def test_when_a_player_declines_a_rematch(anna: Person, bruno: Person, person: Callable[..., Person], bot: str) -> None:
    carla = person("Carla")
    before = anna.open_game()["id"]
    for other in (bruno, carla):
        other.post(f"/games/{before}/join")
    for other in (bruno, carla):
        other.post(f"/games/{before}/resign")
    game = anna.post(f"/games/{before}/rematch", {"bot": bot}, 201)["id"]
    bruno.post(f"/games/{before}/rematch", status=201)
    assert carla.ask("POST", f"/games/{game}/invitation/decline", json={}).status_code == 204
    seated = anna.get(f"/games/{game}")["seated"]
    assert sorted(str(seat["bot"]) for seat in seated) == sorted(["None", "None", bot])
