"""Notices: GET /v1/me tells a player in which running games a bot has their seat."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.games.repository import Games
from service.play.moves import play_bot_turn

from ..servers import Valkey, counted
from ..times import DAY, HOUR, Time, clock
from .conftest import Json, Person


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


def notices(person: Person) -> list[Json]:
    """Return a player's notices."""
    found: list[Json] = person.get("/me")["notices"]
    return found


def in_turn(anna: Person, bruno: Person, **chosen: object) -> tuple[Person, Person, Json]:
    """Open a duel in which a bot replaces a late player; return the player to move, the other one, and the game."""
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock(at_timeout="bot", **chosen))
    game = bruno.post(f"/games/{game['id']}/join")
    people = (anna, bruno) if game["position"]["turn"] == 0 else (bruno, anna)
    return *people, game


def test_a_player_is_told_when_a_bot_was_given_the_seat(anna: Person, bruno: Person, time: Time) -> None:
    late, other, game = in_turn(anna, bruno)
    seat, given = game["position"]["turn"], time.passes(DAY)
    assert notices(late) == [{"type": "seat-with-bot", "game": game["id"], "seat": seat, "since": given}]
    assert notices(other) == []
    seated = late.get(f"/games/{game['id']}")["seated"][seat]
    assert (seated["player"], seated["bot"]) == (late.id, "steady")


def test_the_notice_stays_until_the_seat_is_taken_back(anna: Person, bruno: Person, time: Time, games: Games) -> None:
    late, other, game = in_turn(anna, bruno)
    path, given = f"/games/{game['id']}", time.passes(DAY)
    (notice,) = notices(late)
    time.passes(HOUR)
    play_bot_turn(games, game["id"])
    view = other.get(path)
    if view["moves"]:
        other.move(view, view["moves"][0])
    assert notices(late) == [notice]
    assert notice["since"] == given
    late.post(f"{path}/return")
    assert notices(late) == []


def test_two_games_are_listed_the_earlier_first(anna: Person, bruno: Person, time: Time) -> None:
    late, _, first = in_turn(anna, bruno)
    time.passes(HOUR)
    second = next(game for player, _, game in iter(lambda: in_turn(anna, bruno), None) if player is late)
    time.passes(DAY - HOUR)
    assert [notice["game"] for notice in notices(late)] == [first["id"]]
    time.passes(HOUR)
    assert [notice["game"] for notice in notices(late)] == [first["id"], second["id"]]


def resigns(late: Person, _: Person, game: Json) -> None:
    """End the game by the resignation of the bot's seat."""
    late.post(f"/games/{game['id']}/resign")


def wins(_: Person, other: Person, game: Json) -> None:
    """End the game by the resignation of the other seat."""
    other.post(f"/games/{game['id']}/resign")


@pytest.mark.parametrize("end", [resigns, wins])
def test_a_game_that_is_over_has_no_notice(
    anna: Person, bruno: Person, time: Time, end: Callable[[Person, Person, Json], None]
) -> None:
    late, other, game = in_turn(anna, bruno)
    time.passes(DAY)
    assert notices(late)
    end(late, other, game)
    assert notices(late) == notices(other) == []


def test_a_seat_that_has_resigned_has_no_notice_while_the_others_play_on(
    anna: Person, bruno: Person, person: Callable[..., Person], time: Time
) -> None:
    people = [anna, bruno, person("Carla")]
    game = anna.open_game(clock=clock(at_timeout="bot"))
    for joining in people[1:]:
        game = joining.post(f"/games/{game['id']}/join")
    late = people[game["position"]["turn"]]
    time.passes(DAY)
    assert notices(late)
    assert late.post(f"/games/{game['id']}/resign")["status"] == "running"
    assert notices(late) == []
    others = [one for one in people if one is not late]
    for one in others:
        view = one.get(f"/games/{game['id']}")
        if view["moves"]:
            one.move(view, view["moves"][0])
    assert notices(late) == []


@pytest.mark.parametrize("at_timeout", ["pass", "open-seat", "resign"])
def test_other_timeouts_have_no_notice(anna: Person, bruno: Person, time: Time, at_timeout: str) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock(at_timeout=at_timeout))
    bruno.post(f"/games/{game['id']}/join")
    time.passes(DAY)
    assert notices(anna) == notices(bruno) == []


def test_a_seat_given_before_there_were_notices_has_one_after_the_next_commit(
    anna: Person, bruno: Person, time: Time, log_server: Valkey
) -> None:
    late, other, game = in_turn(anna, bruno)
    time.passes(DAY)
    (notice,) = notices(late)
    with log_server.client() as client:
        assert client.delete(*client.scan_iter("*given:*")) == 1
    assert notices(late) == []
    time.passes(HOUR)
    other.post(f"/games/{game['id']}/pause")
    assert notices(late) == [notice]


def test_notices_cost_two_round_trips(anna: Person) -> None:
    """The number does not depend on games or shards. The token, the hours and the webhooks cost one more each."""
    notices(anna)
    with counted() as sent:
        notices(anna)
    assert len(sent) == 5
