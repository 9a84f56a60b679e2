"""Crowds of clients that are slow or never hang up: everybody else still gets responses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service import create_app
from service.config import Config
from service.games.repository import Games
from service.play.moves import play_bot_turn

from ..api.conftest import Person
from ..servers import Valkey, until
from .clients import HALF_BODIES, HALF_HEADS, JSON, Client, crowd, request
from .doors import Door, opened, serves_others

CROWD = 100
"""More clients than a web process has threads."""
READERS = 40
TURNS = 200
"""The number of bot turns in a game whose events do not fit into a connection's buffers."""


@pytest.fixture(scope="module")
def door(module_server: Valkey, output: Path) -> Iterator[Door]:
    """A web process with its usual timeouts, which no test in this file reaches."""
    with opened(module_server, output) as door:
        yield door


HELD = {
    "nothing": b"",
    **HALF_HEADS,
    **HALF_BODIES,
    "no body after 100 Continue": request("POST /v1/players", JSON, "Content-Length: 99", "Expect: 100-continue"),
}


@pytest.mark.parametrize("sent", HELD.values(), ids=HELD)
def test_who_sends_half_a_request_holds_up_nobody(door: Door, sent: bytes) -> None:
    with crowd(door.port, CROWD, sent):
        serves_others(door)


def test_who_stays_connected_after_an_answer_holds_up_nobody(door: Door) -> None:
    """Such a client can send another request over the same connection."""
    with crowd(door.port, CROWD, request("GET /v1/bots")) as clients:
        assert {client.answer().status for client in clients} == {200}
        serves_others(door)
        for client in clients:
            client.send(request("GET /v1/bots"))
        assert {client.answer().status for client in clients} == {200}


LEFT_OPEN = {
    "Connection: close": (request("GET /v1/bots", "Connection: close"), 200),
    "HTTP/1.0": (b"GET /v1/bots HTTP/1.0\r\n\r\n", 200),
    "bytes that are not a request": (b"good morning\r\n\r\n", 400),
    "a body that is not read": (request("POST /v1/players", JSON, "Content-Length: 99999", body=b"{"), 413),
}


@pytest.mark.parametrize(("sent", "status"), LEFT_OPEN.values(), ids=LEFT_OPEN)
def test_a_connection_that_only_the_server_closes_holds_up_nobody(door: Door, sent: bytes, status: int) -> None:
    """The server responds, closes its side, and frees the connection even if the client never closes it."""
    before = door.open_files()
    with crowd(door.port, CROWD, sent) as clients:
        for client in clients:
            assert client.answer().status == status
            assert client.rest() == b""
        serves_others(door)
        until(lambda: door.open_files() < before + CROWD // 2)


@pytest.fixture(scope="module")
def long_game(module_server: Valkey) -> str:
    """The path to the events of a long game."""
    app = create_app(Config(redis_url=module_server.url, queue_url=module_server.url))
    games: Games = app.extensions["condottiere"]
    bots = [{"seat": seat, "bot": "random"} for seat in range(6)]
    game = Person(app.test_client(), "Anna").open_game(seats=6, bots=bots, seed="af" * 32)["id"]
    for _ in range(TURNS):
        assert play_bot_turn(games, game)
    games.store.close()
    games.hints.close()
    return f"/v1/games/{game}/events"


def test_who_does_not_read_a_large_answer_holds_up_nobody(door: Door, long_game: str) -> None:
    """Later the client can still read the whole response."""
    with Client(door.port) as quick:
        quick.send(request(f"GET {long_game}"))
        body = quick.answer().body
    with crowd(door.port, READERS, request(f"GET {long_game}"), receive_buffer=1) as clients:
        serves_others(door)
        assert all(client.answer().body == body for client in clients)
