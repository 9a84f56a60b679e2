"""Request ids and the access log, as clients and hosts of a real web process see them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from ..servers import Valkey, until
from .clients import request
from .doors import Door, opened

LONG_HEADER = f"X-Long: {9_000 * 'a'}"


@pytest.fixture(scope="module")
def door(module_server: Valkey, output: Path) -> Iterator[Door]:
    """A web process that logs each request as JSON."""
    with opened(module_server, output, LOG_FORMAT="json", ACCESS_LOG="on") as door:
        yield door


def lines(output: Path, **members: Any) -> list[dict[str, Any]]:
    """Return the lines of the log so far that have these members."""
    read = [json.loads(line) for line in output.read_text().splitlines()]
    return [line for line in read if members.items() <= line.items()]


def test_a_request_is_logged_with_its_id_and_without_its_query(door: Door, output: Path) -> None:
    answer = requests.get(f"{door.url}/v1/games?status=open&limit=5", headers={"X-Request-Id": "mine-1"}, timeout=30)
    assert answer.headers["X-Request-Id"] == "mine-1"
    until(lambda: bool(lines(output, request="mine-1")))
    (line,) = lines(output, request="mine-1")
    expected = {"level": "INFO", "process": "web", "method": "GET", "path": "/v1/games", "status": 200}
    assert expected.items() <= line.items()
    assert line["ms"] > 0
    assert "limit=5" not in output.read_text()


def test_the_password_in_an_absolute_address_is_not_logged(door: Door, output: Path) -> None:
    with door.client() as client:
        client.send(b"GET http://me:open-sesame@x/v1/bots HTTP/1.1\r\nHost: x\r\nX-Request-Id: absolute\r\n\r\n")
        assert client.answer().status == 200
    until(lambda: bool(lines(output, request="absolute")))
    assert lines(output, request="absolute")[0]["path"] == "/v1/bots"
    assert "open-sesame" not in output.read_text()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (request("POST /v1/players", "Expect: magic", "X-Request-Id: refused", "Content-Length: 2", body=b"{}"), 417),
        (request("POST /v1/players", "Content-Length: 99999999", "X-Request-Id: refused"), 413),
    ],
)
def test_a_request_that_the_gateway_refuses_keeps_its_id(door: Door, output: Path, sent: bytes, status: int) -> None:
    with door.client() as client:
        client.send(sent)
        answer = client.answer()
    assert (answer.status, answer.problem()["request"]) == (status, "refused")
    assert lines(output, request="refused", status=status, path="/v1/players")


def test_each_input_that_is_no_request_gets_an_id(door: Door) -> None:
    """Its response has one too: `problem` compares the id in the body with the header."""
    names = set()
    for sent in (request("GET /v1/bots", LONG_HEADER), b"good morning\r\n\r\n", b"GET / HTTP/1.1\r\nno header\r\n\r\n"):
        with door.client() as client:
            client.send(sent)
            names.add(client.answer().problem()["request"])
    assert len(names) == 3


def test_an_id_that_is_not_well_formed_is_replaced(door: Door) -> None:
    for wrong in ("a b", "a,b", 65 * "a", "ä"):
        answer = requests.get(f"{door.url}/v1/bots", headers={"X-Request-Id": wrong.encode()}, timeout=30)
        assert answer.status_code == 200
        assert len(answer.headers["X-Request-Id"]) == 20
