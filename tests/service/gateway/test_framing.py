"""Where requests and responses begin and end, and requests that are refused without reading the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.api.bodies import LARGEST_BODY

from ..servers import Valkey
from .clients import CHUNKED, JSON, Client, chunk, registration, request
from .doors import Door, opened

CONTINUE = "Expect: 100-continue"
ENDLESS = 1_000
"""After this number of 1 KiB chunks, a client assumes that the server never stops reading."""


@pytest.fixture(scope="module")
def door(module_server: Valkey, output: Path) -> Iterator[Door]:
    """A web process."""
    with opened(module_server, output) as door:
        yield door


@pytest.fixture
def client(door: Door) -> Iterator[Client]:
    """A connection to the web process."""
    with door.client() as client:
        yield client


def is_refused(client: Client, status: int, code: str) -> None:
    """Fail unless the next response is this problem, and the last response."""
    answer = client.answer()
    assert (answer.status, answer.problem()["code"]) == (status, code)
    assert client.rest() == b""


def by_length() -> bytes:
    """Return a request that registers a player, with the length of its body."""
    body = registration()
    return request("POST /v1/players", JSON, f"Content-Length: {len(body)}", body=body)


def in_chunks() -> bytes:
    """Return a request that registers a player, with its body in a chunk."""
    return request("POST /v1/players", JSON, CHUNKED, body=chunk(registration()) + chunk(b""))


UNREADABLE = {
    "no request": (b"good morning\r\n\r\n", 400, "unreadable-request"),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, "unreadable-request"),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "unreadable-request"),
    "another version": (b"GET /v1/bots HTTP/2.0\r\nHost: x\r\n\r\n", 400, "unreadable-request"),
    "no colon": (request("GET /v1/bots", "no header"), 400, "unreadable-request"),
    "a space before the colon": (request("GET /v1/bots", "Accept : */*"), 400, "unreadable-request"),
    "a NUL in a header": (request("GET /v1/bots", "Accept: \0"), 400, "unreadable-request"),
    "an unknown coding": (request("POST /v1/players", "Transfer-Encoding: magic"), 400, "unreadable-request"),
    "a negative length": (request("POST /v1/players", "Content-Length: -1"), 400, "unreadable-request"),
    "two lengths": (
        request("POST /v1/players", JSON, "Content-Length: 2", "Content-Length: 3", body=b"{}"),
        400,
        "unreadable-request",
    ),
    "a length and chunks": (
        request("POST /v1/players", JSON, "Content-Length: 12", CHUNKED, body=chunk(b"{}") + chunk(b"")),
        400,
        "unreadable-request",
    ),
    "chunks and a length": (
        request("POST /v1/players", JSON, CHUNKED, "Content-Length: 2", body=b"{}"),
        400,
        "unreadable-request",
    ),
    "an address with no host": (request("GET http://[]@/v1/bots"), 400, "unreadable-request"),
    "a long address": (request("GET /" + 9_000 * "a"), 414, "address-too-long"),
    "a long header": (request("GET /v1/bots", "Accept: " + 9_000 * "a"), 431, "headers-too-large"),
    "many headers": (
        request("GET /v1/bots", *(f"X-{number}: 1" for number in range(200))),
        431,
        "headers-too-large",
    ),
}


@pytest.mark.parametrize(("sent", "status", "code"), UNREADABLE.values(), ids=UNREADABLE)
def test_an_unreadable_request_is_refused_and_nothing_after_it_is_read(
    client: Client, sent: bytes, status: int, code: str
) -> None:
    client.send(sent + request("GET /v1/bots"))
    is_refused(client, status, code)


def test_a_stream_ends_when_an_address_with_no_host_follows(client: Client) -> None:
    client.send(by_length())
    token = json.loads(client.answer().body)["token"]
    client.send(request("GET /v1/me/events/stream?after=now", f"Authorization: Bearer {token}"))
    assert client.head()[0] == 200
    client.send(request("GET http://[]@/v1/bots"))
    assert b"HTTP/1.1" not in client.rest()


@pytest.mark.parametrize("expect", [(), (CONTINUE,)], ids=["at once", "after 100 Continue"])
def test_a_body_that_is_announced_as_too_large_is_refused_before_it_is_sent(
    client: Client, expect: tuple[str, ...]
) -> None:
    client.send(request("POST /v1/players", JSON, f"Content-Length: {LARGEST_BODY + 1}", *expect))
    is_refused(client, 413, "body-too-large")


def test_chunks_without_end_are_refused(client: Client) -> None:
    client.send(request("POST /v1/players", JSON, CHUNKED))
    for _ in range(ENDLESS):
        if client.has_answer():
            break
        client.send(chunk(1024 * b" "))
    is_refused(client, 413, "body-too-large")


def test_the_largest_body_is_read(client: Client) -> None:
    """The body is sent with its length and in chunks; a problem with its contents proves that the server read it."""
    body = b'{"name": "%b"}' % ((LARGEST_BODY - 12) * b"a")
    client.send(request("POST /v1/players", JSON, f"Content-Length: {LARGEST_BODY}", body=body))
    assert client.answer().status == 422
    client.send(request("POST /v1/players", JSON, CHUNKED, body=chunk(body[:99]) + chunk(body[100:]) + chunk(b"")))
    assert client.answer().status == 422


def test_who_expects_100_gets_it_and_then_the_answer(client: Client) -> None:
    body = registration()
    client.send(request("POST /v1/players", JSON, f"Content-Length: {len(body)}", CONTINUE))
    assert client.answer().status == 100
    client.send(body)
    assert client.answer().status == 201
    client.send(request("POST /v1/players", JSON, CHUNKED, CONTINUE))
    assert client.answer().status == 100
    client.send(chunk(registration()) + chunk(b""))
    assert client.answer().status == 201


def test_requests_sent_together_are_answered_in_order(client: Client) -> None:
    """The order is kept even if the later requests take less time."""
    sent = [
        (by_length(), 201),
        (request("GET /v1/bots"), 200),
        (in_chunks(), 201),
        (request("GET /v1/nowhere"), 404),
        (request("GET /v1/editions"), 200),
        (request("GET /v1/me"), 401),
    ]
    client.send(b"".join(part for part, _ in sent))
    assert [client.answer().status for _ in sent] == [status for _, status in sent]


def test_the_answer_to_head_has_no_body(client: Client) -> None:
    client.send(request("HEAD /v1/bots") + request("GET /v1/bots"))
    head, whole = client.answer(to_head=True), client.answer()
    assert (head.status, whole.status) == (200, 200)
    assert int(head.headers["Content-Length"]) == len(whole.body) > 0


def test_a_problem_in_answer_to_head_has_no_body(client: Client) -> None:
    client.send(request("HEAD /v1/nowhere") + request("GET /v1/bots"))
    assert (client.answer(to_head=True).status, client.answer().status) == (404, 200)


def test_who_has_closed_the_sending_side_is_still_answered(door: Door) -> None:
    sent = {
        request("GET /v1/bots"): 200,
        by_length(): 201,
        in_chunks(): 201,
    }
    for whole, status in sent.items():
        with door.client() as client:
            client.send(whole)
            client.finish_sending()
            assert client.answer().status == status
            assert client.rest() == b""


def test_half_a_body_is_refused_as_soon_as_the_sending_side_is_closed(client: Client) -> None:
    client.send(request("POST /v1/players", JSON, "Content-Length: 99", body=b"{}"))
    client.finish_sending()
    is_refused(client, 400, "unreadable-request")


def test_a_client_of_http_1_0_is_answered_and_hung_up_on(client: Client) -> None:
    client.send(b"GET /v1/bots HTTP/1.0\r\n\r\n")
    answer = client.answer()
    assert (answer.status, json.loads(answer.body)["bots"] != []) == (200, True)
    assert client.rest() == b""


def test_connection_close_is_answered_with_connection_close(client: Client) -> None:
    client.send(request("GET /v1/bots", "Connection: close"))
    assert client.answer().headers["Connection"] == "close"
    assert client.rest() == b""


@pytest.mark.parametrize("host", ["x", "user:password@x:80", "[::1]", "[::1%25eth0%]"])
def test_the_host_in_an_absolute_address_is_ignored(client: Client, host: str) -> None:
    client.send(request(f"GET http://{host}/v1/bots?seats=%20"))
    assert client.answer().status == 422
    client.send(request(f"GET http://{host}/v1/bots"))
    assert client.answer().status == 200


@pytest.mark.parametrize("host", ["a..b", ".x", 300 * "a"])
def test_a_host_that_cannot_be_a_name_is_refused(client: Client, host: str) -> None:
    client.send(f"GET /v1/bots HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    answer = client.answer()
    problem = json.loads(answer.body)
    assert (answer.status, problem["code"]) == (400, "malformed-header")
    assert "Host" in problem["detail"]


@pytest.mark.parametrize("protocol", ["websocket", "h2c"])
def test_a_client_that_offers_another_protocol_is_answered_in_http_1_1(client: Client, protocol: str) -> None:
    for _ in range(2):
        client.send(request("GET /v1/bots", "Connection: Upgrade", f"Upgrade: {protocol}"))
        assert client.answer().status == 200


def test_a_stream_of_http_1_0_is_not_chunked(client: Client) -> None:
    client.send(by_length())
    token = json.loads(client.answer().body)["token"]
    lines = ("GET /v1/me/events?after=now HTTP/1.0", f"Authorization: Bearer {token}", "Accept: application/x-ndjson")
    client.send("\r\n".join((*lines, "", "")).encode())
    status, headers = client.head()
    assert (status, headers["Transfer-Encoding"], client.line()) == (200, None, b"\n")


@pytest.mark.parametrize("sent", [b"good morning\r\n\r\n", b"GET /v1/bots HTTP/2.0\r\nHost: x\r\n\r\n"])
def test_what_is_no_request_is_refused_in_http_1_1(client: Client, sent: bytes) -> None:
    client.send(sent)
    assert client.rest().startswith(b"HTTP/1.1 400 Bad Request\r\n")
