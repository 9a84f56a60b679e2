"""SIGTERM: responses in progress are completed, every stream ends cleanly, and the web process exits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import pytest

from service.config import Config
from service.gateway.bridge import Environment
from service.gateway.connection import Connection
from service.gateway.server import Gateway, new_loop
from service.gateway.waiters import Waiters
from service.store import Store

from ..servers import Valkey, until
from ..whole.product import LONG, Json, stored
from .clients import Answer, Client, crowd, request, unchunked
from .doors import Door, Duel, opened

pytestmark = pytest.mark.slow

STREAMS = POLLS = 20
MOVERS = 4
"""The number of games in which one move follows the other."""
POLL_SECONDS = 50
LINES, SSE = "Accept: application/x-ndjson", "Accept: text/event-stream"
JSON = "Content-Type: application/json"
IDLE = (
    b"",
    b"GET /v1/bots HTTP/1.1\r\nHost: x\r\nAcc",
    request("POST /v1/players", JSON, "Content-Length: 99", body=b'{"name":'),
)
"""Bytes after which the server has no complete request to answer."""


class Mover(NamedTuple):
    """A client that makes the moves of both people in a game."""

    duel: Duel
    versions: list[int]

    def play(self, door: Door) -> None:
        """Move until the server closes the connection between two responses, and record the version after each move."""
        with door.client() as client:
            for person in cycle(self.duel.people):
                token = f"Authorization: Bearer {person.token}"
                looked = ask(client, request(f"GET /v1/games/{self.duel.game}", token))
                if looked is None:
                    return
                view = json.loads(looked.body)
                if view["moves"]:
                    moved = ask(client, move(view, token))
                    if moved is None:
                        return
                    assert moved.status == 201
                    self.versions.append(json.loads(moved.body)["version"])


def move(view: Json, token: str) -> bytes:
    """Return a request for the first legal move of a view."""
    body = json.dumps(view["moves"][0]).encode()
    version = view["version"]
    headers = (token, JSON, f"Content-Length: {len(body)}", f'If-Match: "{version}"', f"Idempotency-Key: {version}")
    return request(f"POST /v1/games/{view['id']}/moves", *headers, body=body)


def ask(client: Client, sent: bytes) -> Answer | None:
    """Return the response to a request, which must be complete, or None if the connection was closed before it."""
    try:
        client.send(sent)
        return None if client.is_over() else client.answer()
    except ConnectionError:
        return None


def wait_for_events(door: Door, sent: bytes) -> Answer:
    """Send a request until there is a place to wait, and return the response."""
    while True:
        with door.client() as client:
            client.send(sent)
            answer = client.answer()
        if answer.status != 503:
            return answer


def is_full(door: Door, path: str, token: str) -> bool:
    """Return whether all places to wait are taken; a poll frees its place before its response is sent."""
    with door.client() as client:
        client.send(request(f"GET {path}&wait=1", token))
        return client.answer().status == 503


def received(client: Client) -> Iterator[str]:
    """Yield the lines of a stream, which must end cleanly."""
    body = unchunked(client.rest())
    assert body.endswith(b"\n")
    yield from body.decode().splitlines()


def test_everyone_is_answered_before_it_ends(log_server: Valkey, tmp_path: Path) -> None:
    with (
        opened(log_server, tmp_path / "output", MAX_WAITS=str(2 * STREAMS + POLLS)) as door,
        ThreadPoolExecutor(POLLS + MOVERS) as threads,
        ExitStack() as stack,
    ):
        movers = [Mover(stack.enter_context(closing(Duel(door.url))), []) for _ in range(MOVERS)]
        quiet = stack.enter_context(closing(Duel(door.url)))
        person, view = quiet.turn()
        token, version = f"Authorization: Bearer {person.token}", view["version"]
        path = f"/v1/games/{quiet.game}/events?after={version}"
        streams = [
            client
            for sent in (
                request(f"GET {path}", SSE, token),
                request(f"GET /v1/games/{movers[0].duel.game}/events", LINES, token),
            )
            for client in stack.enter_context(crowd(door.port, STREAMS, sent))
        ]
        assert {client.head()[0] for client in streams} == {200}
        idle = [client for sent in IDLE for client in stack.enter_context(crowd(door.port, STREAMS, sent))]
        poll = request(f"GET {path}&wait={POLL_SECONDS}", token)
        polls = [threads.submit(wait_for_events, door, poll) for _ in range(POLLS)]
        until(lambda: is_full(door, path, token))
        moves = [threads.submit(mover.play, door) for mover in movers]
        until(lambda: all(mover.versions for mover in movers))
        door.ask_to_stop()
        assert door.wait() == 0
        for answer in (future.result(LONG) for future in polls):
            assert (answer.status, json.loads(answer.body)) == (200, {"commits": [], "next": version})
        for number, client in enumerate(streams):
            lines = [line for line in received(client) if line]
            assert all(json.loads(line)["seq"] for line in lines) if number >= STREAMS else set(lines) <= {":"}
        for client in idle:
            assert not client.rest().startswith(b"HTTP/1.1 2")
        for future in moves:
            future.result(LONG)
    for mover in movers:
        assert len(stored(log_server.url, mover.duel.game)[0]) == mover.versions[-1]


def test_a_request_that_arrives_as_the_server_stops_is_answered_or_does_nothing(
    log_server: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the server has not started on the request, it closes the connection, and the client may safely repeat it."""
    begun: list[str] = []

    def app(environ: Environment, start_response: Callable[..., object]) -> list[bytes]:
        begun.append(environ["PATH_INFO"])
        start_response("200 OK", [])
        return []

    def read_and_stop(connection: Connection, data: bytes) -> None:
        read(connection, data)
        asyncio.get_running_loop().call_soon(connection.stop)

    async def scene() -> bytes:
        loop = asyncio.get_running_loop()
        config = Config(redis_url=log_server.url, queue_url="")
        with closing(Store(config)) as store:
            waiters = Waiters(loop, store.positions, store.waits.recheck)
            gateway = Gateway(app, waiters, store, config, max_connections=1)
            async with await loop.create_server(gateway.connection, "127.0.0.1", 0) as server:
                reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
                writer.write(request("POST /v1/players"))
                answered = await asyncio.wait_for(reader.read(), LONG)
                writer.close()
                await gateway.stop()
        return answered

    read = Connection.data_received
    monkeypatch.setattr(Connection, "data_received", read_and_stop)
    with asyncio.Runner(loop_factory=new_loop) as runner:
        answered = runner.run(scene())
    assert bool(begun) == bool(answered)


def test_it_ends_although_nobody_reads(log_server: Valkey, tmp_path: Path) -> None:
    """A client that never reads its response does not keep the process alive."""
    with opened(log_server, tmp_path / "output") as door, closing(Duel(door.url)) as duel:
        sent = request("GET /v1/editions") * 20 + request(f"GET /v1/games/{duel.game}/events", LINES)
        with crowd(door.port, STREAMS, sent, receive_buffer=1):
            door.ask_to_stop()
            assert door.wait() == 0
