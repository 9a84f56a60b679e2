"""Large bodies: a record may be larger than any other body, and only a few of them are received at the same time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.gateway.crowd import LARGE_BODIES
from service.records.reading import OVER_HTTP

from ..records.making import of_bots, text_of
from ..servers import Valkey
from .clients import JSON, Client, request
from .doors import Door, opened

VERIFY = "POST /v1/records/verify"


@pytest.fixture(scope="module")
def door(module_server: Valkey, output: Path) -> Iterator[Door]:
    """A web process."""
    with opened(module_server, output) as door:
        yield door


def send_record(client: Client, body: bytes) -> None:
    """Send a record."""
    client.send(request(VERIFY, JSON, f"Content-Length: {len(body)}", body=body))


def test_a_large_record_is_verified(door: Door) -> None:
    body = text_of(of_bots("eurogames-1995", 6))
    with door.client() as client:
        send_record(client, body)
        answer = client.answer()
        assert answer.status == 200
        assert json.loads(answer.body)["valid"]


def test_a_record_that_is_too_large_is_refused_before_it_is_sent(door: Door) -> None:
    with door.client() as client:
        client.send(request(VERIFY, JSON, f"Content-Length: {OVER_HTTP.bytes + 1}"))
        answer = client.answer()
        assert (answer.status, answer.problem()["code"]) == (413, "record-too-large")


def test_other_bodies_are_as_small_as_before(door: Door) -> None:
    with door.client() as client:
        client.send(request("POST /v1/players", JSON, "Content-Length: 40000"))
        answer = client.answer()
        assert (answer.status, answer.problem()["code"]) == (413, "body-too-large")


def test_few_records_are_read_at_once(door: Door) -> None:
    """More are refused. There is room again when the first records have arrived or their clients have hung up."""
    with ExitStack() as stack:
        slow = [stack.enter_context(door.client()) for _ in range(LARGE_BODIES)]
        for client in slow:
            client.send(request(VERIFY, JSON, "Content-Length: 50000", "Expect: 100-continue"))
            assert client.answer().status == 100
        with door.client() as client:
            client.send(request(VERIFY, JSON, "Content-Length: 50000"))
            answer = client.answer()
            assert (answer.status, answer.problem()["code"]) == (503, "verifier-busy")
    with door.client() as client:
        send_record(client, text_of(of_bots("eurogames-1995", 6)))
        assert client.answer().status in (200, 503)
