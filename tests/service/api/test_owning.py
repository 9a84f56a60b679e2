"""Owning: the owner closes seats, gives them to bots, and hands over the table.

Games that nobody joins expire.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.games.repository import Games, load
from service.play.moves import play_bot_turn
from service.records.document import as_json
from service.records.reading import read_record
from service.records.verifying import verify
from service.tables.rounds import Tables
from service.timekeeping.rounds import Timekeeper

from ..times import DAY, Time, clock
from .conftest import Json, Person


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


def seats(game: Json) -> list[str | None]:
    return [seat["name"] or seat["label"] for seat in game["seated"]]


def finding(games: Games, game: str) -> object:
    """Return the error in a game's record."""
    return verify(read_record(as_json(load(games, game), None))).finding


def test_a_closed_seat_is_gone_and_later_seats_move_up(anna: Person, bruno: Person, games: Games) -> None:
    game = anna.open_game(seats=5, clock=clock(kind="bank", increment=60, cap=100_000))["id"]
    bruno.post(f"/games/{game}/join", {"seat": 4, "entropy": "c0ffee"})
    closed = anna.post(f"/games/{game}/close-seat", {"seat": 1})
    assert seats(closed) == ["Anna", None, None, "Bruno"]
    assert closed["fairness"]["entropies"] == [None, None, None, "c0ffee"]
    assert bruno.get(f"/games/{game}")["you"] == 3
    started = (
        anna.post(f"/games/{game}/close-seat", {"seat": 2}),
        anna.post(f"/games/{game}/seat-bot", {"seat": 1, "bot": "random"}),
    )
    assert (started[1]["status"], seats(started[1])) == ("running", ["Anna", "Random", "Bruno"])
    assert len(started[1]["clock"]["banks"]) == len(started[1]["position"]["seats"]) == 3
    for player in (anna, bruno):
        player.ask("POST", f"/games/{game}/resign")
    assert finding(games, game) is None


def test_closing_the_last_free_seat_starts_the_game(anna: Person, bruno: Person, person: Callable[..., Person]) -> None:
    game = anna.open_game(seats=4)["id"]
    bruno.post(f"/games/{game}/join")
    person("Carla").post(f"/games/{game}/join")
    assert anna.post(f"/games/{game}/close-seat", {"seat": 3})["status"] == "running"


def test_an_edition_keeps_its_fewest_seats(anna: Person) -> None:
    game = anna.open_game(seats=3)["id"]
    assert anna.post(f"/games/{game}/close-seat", {"seat": 2}, 422)["code"] == "wrong-seats"


def test_only_the_owner_changes_free_seats_of_an_open_game(anna: Person, bruno: Person) -> None:
    game = anna.open_game(seats=4)["id"]
    bruno.post(f"/games/{game}/join")
    requests = {"close-seat": {"seat": 2}, "seat-bot": {"seat": 2, "bot": "random"}}
    for path, body in requests.items():
        assert bruno.post(f"/games/{game}/{path}", body, 403)["code"] == "not-the-owner"
        taken = anna.post(f"/games/{game}/{path}", {**body, "seat": 1}, 409)
        assert (taken["code"], taken["free"]) == ("seat-taken", [2, 3])
    anna.post(f"/games/{game}/leave")
    for path, body in requests.items():
        assert anna.post(f"/games/{game}/{path}", body, 409)["code"] == "game-cancelled"


def test_a_table_that_is_handed_over_belongs_to_its_new_owner(anna: Person, bruno: Person, games: Games) -> None:
    game = anna.open_game(seats=3, title="Sunday")["id"]
    assert anna.post(f"/games/{game}/hand-over", {"player": "Bruno"}, 409)["code"] == "player-not-seated"
    bruno.post(f"/games/{game}/join")
    assert bruno.post(f"/games/{game}/hand-over", {"player": "Anna"}, 403)["code"] == "not-the-owner"
    assert anna.post(f"/games/{game}/hand-over", {"player": "Bruno"})["owner_name"] == "Bruno"
    assert bruno.ask("PATCH", f"/games/{game}/table", json={"title": None}).status_code == 200
    assert anna.post(f"/games/{game}/leave")["status"] == "open"
    assert anna.get("/games?status=mine")["games"] == []
    bruno.post(f"/games/{game}/seat-bot", {"seat": 0, "bot": "random"})
    bruno.post(f"/games/{game}/seat-bot", {"seat": 2, "bot": "random"})
    bruno.post(f"/games/{game}/resign")
    while play_bot_turn(games, game):
        pass
    assert bruno.post(f"/games/{game}/hand-over", {"player": "Anna"}, 409)["code"] == "game-over"
    assert finding(games, game) is None


def test_an_owner_without_a_seat_leaves_the_list_with_the_table(
    anna: Person, bruno: Person, person: Callable[..., Person]
) -> None:
    game = anna.open_game(clock=clock(at_timeout="open-seat"))["id"]
    for player in (bruno, person("Carla")):
        player.post(f"/games/{game}/join")
    assert anna.post(f"/games/{game}/hand-over", {"player": bruno.id})["owner"] == bruno.id
    anna.post(f"/games/{game}/resign")
    assert [one["owner"] for one in anna.get("/games?status=mine")["games"]] == [bruno.id]


def test_a_game_that_nobody_joins_expires(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    open_games = [anna.open_game(private=private)["id"] for private in (False, True)]
    running = anna.open_game(bots=[{"seat": 1, "bot": "random"}, {"seat": 2, "bot": "random"}])["id"]
    tables = Tables(games, 30)
    time.passes(30 * DAY - 1)
    tables.round()
    assert anna.get(f"/games/{open_games[0]}")["status"] == "open"
    bruno.post(f"/games/{open_games[0]}/join")
    time.passes(1)
    tables.round()
    assert anna.get(f"/games/{open_games[0]}")["status"] == "open"
    expired = anna.get(f"/games/{open_games[1]}")
    assert expired["cancelled"] == {"by": "clock", "by_name": None, "reason": "nobody joined in time"}
    time.passes(30 * DAY)
    for _ in range(2):
        tables.round()
    assert anna.get("/games")["games"] == []
    refused = bruno.post(f"/games/{open_games[0]}/leave", status=409)
    assert (refused["code"], "reason" in refused) == ("game-cancelled", False)
    assert anna.get(f"/games/{running}")["status"] == "running"


def test_games_never_expire_where_the_host_says_so(anna: Person, games: Games, time: Time) -> None:
    game = anna.open_game()["id"]
    time.passes(3000 * DAY)
    Tables(games, 0).round()
    Timekeeper(games).round()
    assert anna.get(f"/games/{game}")["status"] == "open"
