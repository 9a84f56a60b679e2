"""A token and a game that are loaded together.

The tests cover which problem is reported if both are invalid, and what a retry loads again.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis

from service.games.repository import Games
from service.store.keys import of_game, of_player, of_shard, shard_of_game
from service.store.log import Addition, AppendResult

from ..servers import Valkey
from .conftest import Json, Person
from .test_tokens import replaced

Spoil = Callable[[redis.Redis, str], object]


def another_type(server: redis.Redis, key: str) -> None:
    """Store a string under a key, or a list if the key had a string."""
    kind = server.type(key)
    server.delete(key)
    server.set(key, "x") if kind != b"string" else server.rpush(key, "x")


def replace_and_use_the_old(person: Person) -> None:
    """Replace a person's token, but let the person use the old one."""
    headers = person.headers
    replaced(person)
    person.headers = headers


TOKENS: dict[str, tuple[int, str, Callable[[Person, redis.Redis], object]]] = {
    "replaced": (401, "token-unknown", lambda anna, _: replace_and_use_the_old(anna)),
    "of nobody": (
        401,
        "token-unknown",
        lambda anna, _: anna.headers.update(Authorization=f"Bearer p17{'0' * 10}.{'x' * 43}"),
    ),
    "of another format": (401, "token-unknown", lambda anna, _: anna.headers.update(Authorization="Bearer secret")),
    "of another scheme": (401, "token-unknown", lambda anna, _: anna.headers.update(Authorization="Basic eDp5")),
    "of a player whose key has another type": (
        500,
        "corrupt-data",
        lambda anna, server: another_type(server, of_player(anna.id)),
    ),
    "of a player who never registered": (
        500,
        "corrupt-data",
        lambda anna, server: server.hdel(of_player(anna.id), "registered"),
    ),
}
"""How a token may be invalid: the status and code of the problem, and the damage that causes it."""
GAMES: dict[str, tuple[int, str, Spoil]] = {
    "has a log of another type": (500, "corrupt-log", lambda server, game: another_type(server, of_game(game, "log"))),
    "has a damaged commit": (500, "corrupt-log", lambda server, game: server.lset(of_game(game, "log"), 0, "{")),
    "has a seed of another type": (
        500,
        "corrupt-log",
        lambda server, game: another_type(server, of_game(game, "seed")),
    ),
    "has lost its seed": (500, "corrupt-log", lambda server, game: server.delete(of_game(game, "seed"))),
    "is lost": (404, "unknown-game", lambda server, game: server.delete(of_game(game, "log"), of_game(game, "seed"))),
    "lies in another layout": (
        503,
        "other-layout",
        lambda server, game: server.set(of_shard(shard_of_game(game), "layout"), "2"),
    ),
}
"""How a game may be invalid, in the same format."""
UNKNOWN = {"a game that nobody opened": "17abcdefghjkmnpqrs", "no id of a game": "x"}
"""Ids of games that do not exist."""


@pytest.fixture
def server(log_server: Valkey) -> redis.Redis:
    """The server behind the app."""
    return log_server.client()


def asked(person: Person, game: str, version: int) -> list[tuple[int, str]]:
    """Return the status and code of the responses to requests that load token and game together."""
    answers = [
        person.ask("GET", f"/games/{game}"),
        person.ask("GET", f"/games/{game}/events"),
        person.ask("GET", f"/games/{game}/orders"),
        person.ask("POST", f"/games/{game}/moves", json={"type": "pass"}, headers={"If-Match": f'"{version}"'}),
    ]
    return [(answer.status_code, answer.get_json(force=True)["code"]) for answer in answers]


@pytest.mark.parametrize("game", [*GAMES, *UNKNOWN])
@pytest.mark.parametrize("token", TOKENS)
def test_a_wrong_token_is_reported_before_a_wrong_game(
    anna: Person, games: Games, against_bots: Json, server: redis.Redis, token: str, game: str
) -> None:
    """The game is not loaded, so it is not set aside either."""
    status, code, spoil_token = TOKENS[token]
    spoil_token(anna, server)
    if game in GAMES:
        GAMES[game][2](server, against_bots["id"])
    game_id = UNKNOWN.get(game, against_bots["id"])
    assert asked(anna, game_id, against_bots["version"]) == 4 * [(status, code)]
    assert games.store.set_aside.first(1) == ([], 0)


@pytest.mark.parametrize("game", GAMES)
def test_a_wrong_game_is_reported_to_a_player(anna: Person, against_bots: Json, server: redis.Redis, game: str) -> None:
    status, code, spoil_game = GAMES[game]
    spoil_game(server, against_bots["id"])
    assert asked(anna, against_bots["id"], against_bots["version"]) == 4 * [(status, code)]


@pytest.mark.parametrize("game", UNKNOWN)
def test_a_game_that_does_not_exist_is_reported_to_a_player(anna: Person, game: str) -> None:
    assert asked(anna, UNKNOWN[game], 1) == 4 * [(404, "unknown-game")]


def test_a_missing_version_is_reported_before_a_wrong_game(anna: Person) -> None:
    answer = anna.ask("POST", f"/games/{UNKNOWN['a game that nobody opened']}/moves", json={"type": "pass"})
    assert (answer.status_code, answer.get_json()["code"]) == (428, "version-required")


def test_a_move_that_comes_second_is_decided_on_the_log_as_it_is_then(
    anna: Person, bruno: Person, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The data that were loaded with the token are used only once."""
    clock = {"kind": "per-move", "seconds": 86_400}
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock)
    bruno.post(f"/games/{game['id']}/join")
    views = {person: person.get(f"/games/{game['id']}") for person in (anna, bruno)}
    mover, other = sorted(views, key=lambda person: not views[person]["moves"])
    append = games.store.log.append

    def append_after_a_pause_was_asked_for(addition: Addition) -> AppendResult | None:
        monkeypatch.undo()
        other.post(f"/games/{game['id']}/pause")
        return append(addition)

    monkeypatch.setattr(games.store.log, "append", append_after_a_pause_was_asked_for)
    after = mover.move(views[mover], views[mover]["moves"][0])
    assert after["version"] == views[mover]["version"] + 2
    assert after["clock"]["pause_asked"] == [views[other]["you"]]
