"""An app on a real server, and people who play through it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service import create_app
from service.admin import tokens
from service.admin.acts import COMMAND_LINE, Actor
from service.config import Config
from service.games.repository import Games
from service.hints.queue import Hints
from service.play.moves import play_bot_turn
from service.store import Store

from ..servers import Valkey
from ..times import real
from .answers import hold_against_the_description

Json = dict[str, Any]
SEED = "5eed" * 16


class Person:
    """A person with a token (or without one) who sends requests to the app."""

    def __init__(self, client: FlaskClient, name: str | None = None) -> None:
        """Register under a name; without a name, be a spectator."""
        self._client = client
        self.headers: dict[str, str] = {}
        self.id = ""
        if name is not None:
            player = self.post("/players", {"name": name}, 201)
            self.headers = {"Authorization": f"Bearer {player['token']}"}
            self.id = player["id"]

    def ask(self, method: str, path: str, *, headers: dict[str, str] | None = None, **kwargs: Any) -> TestResponse:
        """Send any request."""
        answer = self._client.open(f"/v1{path}", method=method, headers=self._all(headers), **kwargs)
        hold_against_the_description(self._client.application, answer)
        return answer

    def _all(self, headers: dict[str, str] | None) -> dict[str, str]:
        """Return all headers. Each request has the same id, so that whole problems can be compared."""
        return {"X-Request-Id": "test", **self.headers, **(headers or {})}

    def get(self, path: str, status: int = 200) -> Json:
        """Send a GET request, check its status, and return the body of the response."""
        return _body(self.ask("GET", path), status)

    def post(self, path: str, body: Any = None, status: int = 200) -> Json:
        """Send a POST request, check its status, and return the body of the response."""
        return _body(self.ask("POST", path, json=body) if body is not None else self.ask("POST", path), status)

    def open_game(self, **asked: Any) -> Json:
        """Open a game of zman-2018 for three seats, unless other settings are given."""
        return self.post("/games", {"edition": "zman-2018", "seats": 3, **asked}, 201)

    def move(self, game: Json, move: Json, status: int = 201, **headers: str) -> Json:
        """Make a move at the version of this view."""
        sent = {
            "If-Match": f'"{game["version"]}"',
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        return _body(self.ask("POST", f"/games/{game['id']}/moves", json=move, headers=sent), status)


def as_host(person: Person, games: Games) -> Person:
    """Return a person after giving them a token with all scopes, including the host's."""
    made = tokens.create(games, Actor(COMMAND_LINE, "root"), person.id, "laptop", [*tokens.SCOPES, tokens.ADMIN])
    person.headers = {"Authorization": f"Bearer {made['token']}"}
    return person


def at_once(ask: Callable[[int], TestResponse], many: int) -> list[TestResponse]:
    """Let `many` threads send a request at the same moment, each with its number, and return the responses."""
    barrier = Barrier(many, timeout=30)

    def wait_and_ask(number: int) -> TestResponse:
        barrier.wait()
        return ask(number)

    with ThreadPoolExecutor(many) as threads:
        return list(threads.map(wait_and_ask, range(many)))


def _body(answer: TestResponse, status: int) -> Json:
    assert answer.status_code == status, answer.get_data(as_text=True)
    body: Json = answer.get_json(force=True)
    return body


@pytest.fixture(scope="session")
def made(valkey: Valkey) -> Flask:
    """The app, created once: describing every operation takes longer than most tests."""
    return create_app(Config(redis_url=valkey.url, queue_url=valkey.url))


@contextmanager
def played_on(app: Flask, config: Config, **chosen: Any) -> Iterator[Games]:
    """Let the app use separate games within the block, on the servers of this configuration."""
    games = Games(Store(config), Hints(config), **chosen)
    app.extensions["condottiere"] = games
    yield games
    games.store.close()
    games.hints.close()


@pytest.fixture
def time() -> Callable[[], int]:
    """The current time; tests that let time pass replace this fixture."""
    return real


@pytest.fixture
def app(made: Flask, log_server: Valkey, time: Callable[[], int]) -> Iterator[Flask]:
    """The app with separate games, whose logs and queue are on one empty server."""
    config = Config(redis_url=log_server.url, queue_url=log_server.url)
    with played_on(made, config, now=time, test_clock=True):
        yield made


@pytest.fixture
def games(app: Flask) -> Games:
    """The games behind the app."""
    value: Games = app.extensions["condottiere"]
    return value


@pytest.fixture
def person(app: Flask) -> Callable[..., Person]:
    """A function that creates people who talk to the app."""
    return lambda name=None: Person(app.test_client(), name)


@pytest.fixture
def anna(person: Callable[..., Person]) -> Person:
    """A player."""
    return person("Anna")


@pytest.fixture
def bruno(person: Callable[..., Person]) -> Person:
    """Another player."""
    return person("Bruno")


@pytest.fixture
def host(person: Callable[..., Person], games: Games) -> Person:
    """A player with a token that has all scopes, including the host's."""
    return as_host(person("Host"), games)


@pytest.fixture
def spectator(person: Callable[..., Person]) -> Person:
    """A person without a token."""
    return person()


@pytest.fixture
def against_bots(anna: Person, games: Games) -> Json:
    """A game of Anna against two bots, with a known seed, at the first moment at which it is her turn."""
    bots = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]
    game = anna.open_game(bots=bots, seed=SEED)
    while not game["moves"]:
        assert play_bot_turn(games, game["id"])
        game = anna.get(f"/games/{game['id']}")
    return game
