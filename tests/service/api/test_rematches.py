"""Rematches: one player proposes, those who agree get a seat, and the finished game does not change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from service.games.repository import Games, load
from service.records.document import as_json
from service.records.reading import read_record
from service.records.verifying import verify
from service.tables import rematch
from service.tables.rounds import Tables
from service.webhooks import invitations as told

from ..times import HOUR, Time
from .conftest import Json, Person, at_once
from .test_webhooks import ALL, add, deliveries
from .test_webhooks import verify as verify_endpoint


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


@pytest.fixture
def carla(person: Callable[..., Person]) -> Person:
    """A third player."""
    return person("Carla")


@pytest.fixture
def over(anna: Person, bruno: Person, carla: Person) -> str:
    """A finished three-player game."""
    return play(anna, bruno, carla, title="Sunday")


def play(owner: Person, *others: Person, bots: list[Json] | None = None, **asked: Any) -> str:
    """Open a game, let the others join, and let everybody except the owner resign; return its id."""
    game: str = owner.open_game(bots=bots or [], **asked)["id"]
    link = owner.get(f"/games/{game}/table")["link"]
    for other in others:
        other.ask("POST", f"/games/{game}/join", headers={"Game-Link": link["secret"]} if link else {})
    for other in others:
        other.post(f"/games/{game}/resign")
    assert owner.get(f"/games/{game}")["status"] == "finished"
    return game


def propose(person: Person, game: str, status: int = 201, **body: Any) -> Json:
    return person.post(f"/games/{game}/rematch", body, status)


def seats(game: Json) -> list[str | None]:
    return [seat["name"] or seat["label"] for seat in game["seated"]]


def test_seats_rotate_and_the_game_starts_when_all_have_agreed(
    anna: Person, bruno: Person, carla: Person, over: str
) -> None:
    new = propose(bruno, over)
    assert (new["status"], new["owner_name"], seats(new)) == ("open", "Bruno", [None, None, "Bruno"])
    (asked,) = anna.get("/me/invitations")["invitations"]
    assert (asked["kind"], asked["game"], asked["seat"], asked["rematch_of"]) == ("rematch", new["id"], 1, over)
    assert seats(propose(anna, over)) == [None, "Anna", "Bruno"]
    started = carla.post(f"/games/{new['id']}/invitation/accept")
    assert (started["status"], seats(started)) == ("running", ["Carla", "Anna", "Bruno"])


def test_old_and_new_game_name_each_other_and_the_old_one_stays_as_it_is(
    anna: Person, bruno: Person, over: str
) -> None:
    paths = (f"/games/{over}", f"/games/{over}/record", f"/games/{over}/events")
    before = [(answer.data, answer.headers.get("ETag")) for answer in (anna.ask("GET", path) for path in paths)]
    new = propose(anna, over)["id"]
    assert bruno.get(f"/games/{over}/table")["rematch"] == new
    table = bruno.get(f"/games/{new}/table")
    assert (table["rematch_of"], table["title"]) == (over, "Sunday")
    assert [(one["seat"], one["name"]) for one in table["reserved"]] == [(0, "Carla"), (2, "Bruno")]
    assert [(answer.data, answer.headers.get("ETag")) for answer in (anna.ask("GET", path) for path in paths)] == before


def test_nobody_else_gets_a_reserved_seat_until_the_time_runs_out(
    anna: Person, bruno: Person, person: Callable[..., Person], over: str, time: Time
) -> None:
    stranger = person("Dora")
    new = propose(anna, over, seconds=HOUR // 1000)["id"]
    assert stranger.post(f"/games/{new}/join", status=409)["code"] == "no-free-seat"
    assert stranger.post(f"/games/{new}/join", {"seat": 2}, 409)["code"] == "no-free-seat"
    assert bruno.post(f"/games/{new}/join")["you"] == 2
    time.passes(HOUR)
    assert stranger.post(f"/games/{new}/join")["you"] == 0


def test_bots_play_for_those_who_decline(anna: Person, bruno: Person, carla: Person, over: str) -> None:
    new = propose(anna, over, bot="random")["id"]
    assert bruno.ask("POST", f"/games/{new}/invitation/decline", json={"reason": "no-time"}).status_code == 204
    assert seats(anna.get(f"/games/{new}")) == [None, "Anna", "Random"]
    assert anna.get(f"/games/{new}")["status"] == "open"
    assert seats(propose(carla, over)) == ["Carla", "Anna", "Random"]


def test_bots_play_for_those_who_have_not_agreed_in_time(
    anna: Person, bruno: Person, over: str, games: Games, time: Time
) -> None:
    new = propose(anna, over, bot="steady", seconds=HOUR // 1000)["id"]
    propose(bruno, over)
    tables = Tables(games, 0)
    tables.round()
    assert anna.get(f"/games/{new}")["status"] == "open"
    time.passes(HOUR)
    for _ in range(2):
        tables.round()
    started = anna.get(f"/games/{new}")
    assert (started["status"], seats(started)) == ("running", ["Steady", "Anna", "Bruno"])


def test_bots_keep_playing_and_deleted_players_are_not_waited_for(
    anna: Person, bruno: Person, person: Callable[..., Person]
) -> None:
    gone = person("Dora")
    bots = [{"seat": 1, "bot": "random"}]
    game: str = anna.open_game(seats=4, bots=bots)["id"]
    for player in (bruno, gone):
        player.post(f"/games/{game}/join")
    gone.ask("DELETE", "/me", json={"name": "Dora"})
    bruno.post(f"/games/{game}/resign")
    anna.post(f"/games/{game}/resign")
    new = propose(anna, game, bot="steady")
    assert seats(new) == ["Steady", "Anna", "Random", None]
    assert anna.get(f"/games/{new['id']}/table")["reserved"] == [{"seat": 3, "player": bruno.id, "name": "Bruno"}]


def test_a_rematch_of_a_private_game_is_private(anna: Person, bruno: Person, carla: Person) -> None:
    game = play(anna, bruno, carla, private=True)
    new = propose(anna, game)["id"]
    assert bruno.get(f"/games/{new}")["id"] == new
    assert bruno.get("/games")["games"] == []
    secret = anna.get(f"/games/{new}/table")["link"]["secret"]
    assert secret != anna.get(f"/games/{game}/table")["link"]["secret"]


def test_who_may_propose_and_when(anna: Person, bruno: Person, person: Callable[..., Person], over: str) -> None:
    assert propose(person("Dora"), over, 403)["code"] == "not-seated"
    waiting = anna.open_game()["id"]
    assert propose(anna, waiting, 409)["code"] == "game-not-over"
    anna.post(f"/games/{waiting}/leave")
    assert propose(anna, waiting, 409)["code"] in ("no-rematch", "not-seated")
    new = propose(anna, over)["id"]
    bruno.ask("POST", f"/games/{new}/invitation/decline")
    anna.post(f"/games/{new}/seat-bot", {"seat": 0, "bot": "random"})
    anna.post(f"/games/{new}/seat-bot", {"seat": 2, "bot": "random"})
    assert propose(bruno, over, 409)["code"] == "no-rematch"
    assert propose(anna, over)["id"] == new


def test_a_cancelled_rematch_can_be_proposed_again(anna: Person, bruno: Person, over: str) -> None:
    first = propose(anna, over)["id"]
    anna.post(f"/games/{first}/leave")
    second = propose(bruno, over)
    assert second["id"] != first
    assert anna.get(f"/games/{over}/table")["rematch"] == second["id"]
    assert propose(anna, over)["id"] == second["id"]


def test_many_who_propose_at_once_get_one_game(anna: Person, bruno: Person, carla: Person, over: str) -> None:
    people = (anna, bruno, carla)
    clients = [Person(person._client.application.test_client()) for person in people]
    for client, person in zip(clients, people, strict=True):
        client.headers = person.headers
    answers = at_once(lambda number: clients[number % 3].ask("POST", f"/games/{over}/rematch", json={}), 6)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.get_json()["id"] for answer in answers}) == 1
    (new,) = [game for game in anna.get("/games?status=mine")["games"] if game["id"] != over]
    assert (new["status"], sorted(filter(None, seats(new)))) == ("running", ["Anna", "Bruno", "Carla"])


STEPS = (
    "service.play.seating.append",
    "service.tables.rematch.load",
    "service.store.tables.Tables.note_rematch",
    "service.tables.invitations.store_invitation",
    "service.tables.rematch.settle",
)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("key", ["once", None])
def test_a_proposal_whose_process_dies_at_any_step_opens_one_game(
    anna: Person, bruno: Person, carla: Person, over: str, step: str, key: str | None
) -> None:
    """The process dies before the step, and the client sends the request again."""
    headers = {} if key is None else {"Idempotency-Key": key}

    class Died(BaseException):
        """Raised in place of the end of the process."""

    with patch(step, side_effect=Died), pytest.raises(Died):
        anna.ask("POST", f"/games/{over}/rematch", json={"bot": "steady"}, headers=headers)
    for _ in range(2):
        answer = anna.ask("POST", f"/games/{over}/rematch", json={"bot": "steady"}, headers=headers)
        assert answer.status_code == 201
    new = answer.get_json()["id"]
    assert [game["id"] for game in anna.get("/games?status=mine")["games"] if game["id"] != over] == [new]
    for other in (bruno, carla):
        assert [one["game"] for one in other.get("/me/invitations")["invitations"]] == [new]
    assert bruno.get(f"/games/{over}/table")["rematch"] == new


def test_webhooks_hear_of_a_proposal_and_of_a_full_table(
    anna: Person, bruno: Person, carla: Person, over: str, games: Games
) -> None:
    from service.webhooks import planning

    webhook = add(bruno, events=["rematch.proposed", "table.filled", "invitation.received"])
    verify_endpoint(games, webhook)
    planning.plan(games, ALL)
    new = propose(anna, over)["id"]
    told.plan(games, ALL)
    propose(bruno, over)
    propose(carla, over)
    planning.plan(games, ALL)
    heard = [one["type"] for one in deliveries(bruno, webhook) if one["game"] == new]
    assert heard == ["rematch.proposed", "table.filled"]


def test_the_record_of_a_rematch_can_be_verified(
    anna: Person, bruno: Person, carla: Person, over: str, games: Games
) -> None:
    new = propose(bruno, over, bot="random")["id"]
    propose(anna, over)
    carla.ask("POST", f"/games/{new}/invitation/decline")
    for player in (anna, bruno):
        player.post(f"/games/{new}/resign")
    report = verify(read_record(as_json(load(games, new), None)))
    assert report.finding is None


def test_the_id_of_a_rematch_cannot_be_guessed_from_the_game(over: str, games: Games) -> None:
    first, second = rematch.id_of(games, over, 1), rematch.id_of(games, over, 2)
    assert len({over, first, second}) == 3
