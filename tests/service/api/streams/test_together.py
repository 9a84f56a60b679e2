"""Several followers of a game are served together; each gets what that follower would get alone."""

from __future__ import annotations

from itertools import product

import pytest

from service.games.repository import Games, load
from service.store.commits import encode_commit
from service.store.keys import of_game, of_player
from service.views.events import show_commits
from service.views.feeds import GameFollower, next_batches
from service.views.names import name_commits

from ...servers import Valkey
from ..conftest import Json, Person


@pytest.fixture
def people(anna: Person, bruno: Person, spectator: Person) -> list[Person]:
    """Two players, a person without a token, and a player of other games."""
    return [anna, bruno, spectator, Person(anna._client, "Dorotea")]


@pytest.fixture
def game(anna: Person, bruno: Person) -> Json:
    """A game after some moves, in which both players have cards that the other does not see."""
    game = anna.open_game(edition="ffg-2007", seats=2, options={"hidden_cards": True})
    bruno.post(f"/games/{game['id']}/join", {})
    for _ in range(9):
        for person in (anna, bruno):
            game = person.get(f"/games/{game['id']}")
            if game["moves"]:
                game = person.move(game, game["moves"][-1])
                break
    return game


def token_of(person: Person) -> str | None:
    return person.headers["Authorization"].removeprefix("Bearer ") if person.headers else None


def test_each_is_told_what_that_caller_may_know(games: Games, people: list[Person], game: Json) -> None:
    loaded = load(games, game["id"])
    asked = [*product(people, range(game["version"] + 1))]
    told = next_batches(games, [GameFollower(game["id"], version, token_of(person)) for person, version in asked])
    for (person, version), one in zip(asked, told, strict=True):
        assert one is not None
        expected = name_commits(games, show_commits(loaded, version, person.id or None))
        assert one.commits == expected, (person.id, version)
    # Players at the table see their own hands; the others see none.
    anna, bruno, spectator, dorotea = (one.commits for one in told[:: game["version"] + 1] if one is not None)
    assert anna != bruno != spectator != anna
    assert spectator is dorotea


def test_one_whose_token_is_replaced_is_cut_off_alone(games: Games, people: list[Person], game: Json) -> None:
    tokens = [token_of(person) for person in people]
    people[0].post("/me/token", status=201)
    told = next_batches(games, [GameFollower(game["id"], 0, token) for token in tokens])
    assert [one is None for one in told] == [True, False, False, False]


def test_one_who_cannot_be_read_is_cut_off_alone(
    games: Games, people: list[Person], game: Json, log_server: Valkey
) -> None:
    with log_server.client() as client:
        client.hset(of_player(people[0].id), "registered", "never")
        client.delete(of_player(people[1].id))
        client.set(of_player(people[1].id), "no hash")
    told = next_batches(games, [GameFollower(game["id"], 0, token_of(person)) for person in people])
    assert [one is None for one in told] == [True, True, False, False]


def test_a_game_that_cannot_be_read_cuts_all_off(
    games: Games, people: list[Person], game: Json, log_server: Valkey
) -> None:
    commits = list(load(games, game["id"]).commits)
    with log_server.client() as client:
        client.lset(of_game(game["id"], "log"), 1, encode_commit({**commits[1], "events": [{"type": "made-up"}]}))
    assert next_batches(games, [GameFollower(game["id"], 0, token_of(person)) for person in people]) == [None] * 4
