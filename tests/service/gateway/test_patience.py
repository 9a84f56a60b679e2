"""How long the web process waits for a client: for headers, for a body, and for the next request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..servers import Valkey
from .clients import HALF_BODIES, HALF_HEADS, JSON, Client, chunk, crowd, drip, request
from .doors import Door, opened, serves_others

PATIENCE = {"HEAD_SECONDS": 1, "BODY_SECONDS": 1, "KEEP_ALIVE": 1}
CROWD = 40
"""More clients than a web process has threads."""
BYTE_SECONDS = 0.2
"""The time between two bytes of a slow client, which is shorter than any timeout."""


@pytest.fixture(scope="module")
def door(module_server: Valkey, output: Path) -> Iterator[Door]:
    """A web process with short timeouts."""
    with opened(module_server, output, PATIENCE) as door:
        yield door


def was_timed_out(client: Client) -> None:
    """Fail unless the client gets a 408 and the connection is closed."""
    answer = client.answer()
    assert answer.status == 408
    answer.problem()
    assert client.rest() == b""


@pytest.mark.parametrize("sent", HALF_HEADS.values(), ids=HALF_HEADS)
def test_half_a_header_is_not_waited_for(door: Door, sent: bytes) -> None:
    with crowd(door.port, CROWD, sent) as clients:
        serves_others(door)
        for client in clients:
            was_timed_out_or_closed(client)


def was_timed_out_or_closed(client: Client) -> None:
    """Fail unless the connection is closed, with or without a response."""
    received = client.rest()
    assert received == b"" or received.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("sent", [b"", request("GET /v1/bots")], ids=["new", "answered"])
def test_an_idle_connection_is_closed_without_an_answer(door: Door, sent: bytes) -> None:
    with crowd(door.port, CROWD, sent) as clients:
        if sent:
            assert {client.answer().status for client in clients} == {200}
        serves_others(door)
        assert {client.rest() for client in clients} == {b""}


@pytest.mark.parametrize("sent", HALF_BODIES.values(), ids=HALF_BODIES)
def test_half_a_body_is_refused_in_time(door: Door, sent: bytes) -> None:
    with crowd(door.port, CROWD, sent) as clients:
        serves_others(door)
        for client in clients:
            was_timed_out(client)


def test_a_body_that_never_follows_100_continue_is_refused_in_time(door: Door) -> None:
    with door.client() as client:
        client.send(request("POST /v1/players", JSON, "Content-Length: 99", "Expect: 100-continue"))
        assert client.answer().status == 100
        was_timed_out(client)


def test_a_header_that_comes_byte_by_byte_is_not_waited_for(door: Door) -> None:
    """The timeout is for all headers together, however often a byte arrives."""
    with crowd(door.port, CROWD, HALF_HEADS["half a header"]) as clients:
        drip(clients, b"a", BYTE_SECONDS)
        assert all(client.has_answer() for client in clients)


@pytest.mark.parametrize(
    ("sent", "more"),
    [(HALF_BODIES["half a body"], b"a"), (HALF_BODIES["no last chunk"], chunk(b" "))],
    ids=["length", "chunks"],
)
def test_a_body_that_comes_byte_by_byte_is_refused_in_time(door: Door, sent: bytes, more: bytes) -> None:
    """The timeout is for the whole body, however often a byte arrives."""
    with crowd(door.port, CROWD, sent) as clients:
        drip(clients, more, BYTE_SECONDS)
        for client in clients:
            was_timed_out(client)


def test_a_request_that_comes_in_time_in_two_pieces_is_answered(door: Door) -> None:
    whole = request("GET /v1/bots")
    with door.client() as client:
        for at in range(1, len(whole)):
            client.send(whole[:at])
            client.send(whole[at:])
            assert client.answer().status == 200
