"""Floods: a web process with limits, and clients that send as fast as they can while others play."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import requests

from service.gateway.guard import BURST, RATE
from service.gateway.refusals import DELAY

from ..servers import Valkey, until
from ..whole.product import LONG, Person
from .clients import Client, request
from .doors import Door, Duel, opened

pytestmark = pytest.mark.slow

LIMITED = {"CONDOTTIERE_LIMITS": "on", "TRUSTED_PROXIES": "127.0.0.1/32"}
FLOODERS = 40
MOVES = 20
SLOWEST = 1.0
"""No move takes this many seconds while others flood; the value is high because machines may be busy."""


@pytest.fixture
def door(log_server: Valkey, tmp_path: Path) -> Iterator[Door]:
    """A web process with limits."""
    with opened(log_server, tmp_path / "output", **LIMITED) as door:
        yield door


@contextmanager
def flood(door: Door, sent: Callable[[int], bytes]) -> Iterator[Counter[int]]:
    """Let clients send requests as fast as they get responses, within the block; yield how many had each status."""
    statuses, over = Counter[int](), threading.Event()

    def send(number: int) -> None:
        with Client(door.port) as client:
            while not over.is_set():
                client.send(sent(number))
                statuses[client.answer().status] += 1
                number += FLOODERS

    threads = [threading.Thread(target=send, args=(number,)) for number in range(FLOODERS)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        over.set()
        for thread in threads:
            thread.join(LONG)


def from_address(address: str) -> str:
    """Return the header that a proxy sends for a client."""
    return f"X-Forwarded-For: {address}"


@pytest.mark.parametrize("address", ["127.0.0.1", "192.0.2.7"], ids=["the same address", "another address"])
def test_moves_go_on_while_an_address_floods_with_invented_tokens(
    log_server: Valkey, door: Door, tmp_path: Path, address: str
) -> None:
    """Even the first request with a token that is new to this process is accepted from the flooding address."""

    def invented(number: int) -> bytes:
        token = f"Authorization: Bearer p17{number:010d}.{'a' * 43}"
        return request("GET /v1/me/turns", token, from_address(address))

    with opened(log_server, tmp_path / "other", **LIMITED) as other, closing(Duel(other.url)) as duel:
        for person in duel.people:
            person._url = door.url
        with flood(door, invented) as statuses:
            until(lambda: statuses[429] > 0)
            times = []
            for _ in range(MOVES):
                person, view = duel.turn()
                begin = time.monotonic()
                assert person.move(view, view["moves"][0], str(view["version"])).status_code == 201
                times.append(time.monotonic() - begin)
                time.sleep(2 / RATE)
            begin = time.monotonic()
            until(lambda: time.monotonic() - begin > 2 * DELAY)
    assert max(times) < SLOWEST
    assert set(statuses) == {401, 429}
    assert statuses[401] <= BURST + RATE * LONG


def test_a_flood_is_answered_slowly_and_says_when_to_retry(door: Door) -> None:
    with flood(door, lambda _: request("GET /v1/bots", from_address("192.0.2.7"))) as statuses:
        until(lambda: statuses[429] >= 2 * FLOODERS)
    assert statuses[200] >= BURST
    with ExitStack() as stack:
        clients = [stack.enter_context(Client(door.port)) for _ in range(2 * BURST)]
        for client in clients:
            client.send(request("GET /v1/bots", from_address("198.51.100.2")))
        answers = [client.answer() for client in clients]
        refused = [answer for answer in answers if answer.status == 429]
        headers, problem = refused[0].headers, json.loads(refused[0].body)
        assert (problem["code"], problem["limit"], headers["Retry-After"]) == ("rate-limited", "requests", str(DELAY))
        assert headers["RateLimit-Policy"] == f'"requests";q={BURST};w={BURST // int(RATE)}'
        assert headers["Content-Type"] == "application/problem+json"
        # A refused client can still use its connection.
        again = clients[answers.index(refused[0])]
        again.send(request("GET /v1/bots", from_address("203.0.113.9")))
        assert again.answer().status == 200


def test_without_a_trusted_proxy_the_header_is_ignored(log_server: Valkey, tmp_path: Path) -> None:
    with (
        opened(log_server, tmp_path / "output", CONDOTTIERE_LIMITS="on") as door,
        flood(door, lambda number: request("GET /v1/bots", from_address(f"192.0.2.{number % 250}"))) as statuses,
    ):
        until(lambda: statuses[429] > 0)


def test_registration_is_limited_by_the_address_that_the_proxy_reports(door: Door) -> None:
    def register(name: str, address: str) -> requests.Response:
        return requests.post(
            f"{door.url}/v1/players", json={"name": name}, headers={"X-Forwarded-For": address}, timeout=LONG
        )

    answers = [register(f"Anna-{number}", f"2001:db8:1:2::{number:x}") for number in range(21)]
    assert [answer.status_code for answer in answers] == [201] * 20 + [429]
    refused = answers[-1]
    assert refused.json()["limit"] == "registration"
    assert refused.headers["RateLimit-Policy"] == '"registration";q=20;w=3600'
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600
    assert register("Bruno", "2001:db8:1:3::1").status_code == 201


def test_everything_works_while_the_queues_server_is_away(log_server: Valkey, tmp_path: Path) -> None:
    """The server stops while the service is running.

    Requests still succeed, moves are made, and the log reports it once.
    """
    with TemporaryDirectory(prefix="queue-") as folder:
        queue, output = Valkey(Path(folder)), tmp_path / "output"
        with opened(log_server, output, CONDOTTIERE_LIMITS="on", QUEUE_URL=queue.url) as door:
            limited = requests.post(f"{door.url}/v1/players", json={"name": "Caterina"}, timeout=LONG)
            assert limited.headers["RateLimit"] == '"registration";r=19;t=3600'
            queue.stop()
            with closing(Duel(door.url)) as duel:
                for _ in range(3):
                    duel.move()
                begin = time.monotonic()
                for _ in range(30):
                    duel.people[0].get("/me/turns")
                assert time.monotonic() - begin < 5
            names = [f"Lodovico-{number}" for number in range(25)]
            answers = [requests.post(f"{door.url}/v1/players", json={"name": name}, timeout=LONG) for name in names]
            assert {(answer.status_code, answer.headers.get("RateLimit")) for answer in answers} == {(201, None)}
        assert output.read_text().count("cannot count requests") == 1


def test_a_player_and_an_address_have_a_share_of_the_waiting_requests(log_server: Valkey, tmp_path: Path) -> None:
    few = {"MAX_WAITS_PER_PLAYER": "6", "MAX_WAITS_PER_ADDRESS": "7"}
    with opened(log_server, tmp_path / "output", **LIMITED, **few) as door, ExitStack() as stack:
        noisy, quiet = (stack.enter_context(Person(door.url, name)) for name in ("Noisy", "Quiet"))
        game = noisy.open_game(0, seats=3)["id"]

        def stream(*headers: str) -> Client:
            client = stack.enter_context(Client(door.port))
            client.send(request(f"GET /v1/games/{game}/events", "Accept: application/x-ndjson", *headers))
            return client

        def status(client: Client) -> int:
            return client.head()[0]

        noisy_token, quiet_token = (f"Authorization: Bearer {person.token}" for person in (noisy, quiet))
        assert [status(stream(noisy_token)) for _ in range(6)] == [200] * 6
        refused = stream(noisy_token).answer()
        problem = json.loads(refused.body)
        assert (refused.status, problem["code"], problem["cap"]) == (429, "too-many-own-waits", 6)
        assert refused.headers["Retry-After"]
        other = noisy.post("/me/tokens", {"name": "bot", "scopes": ["read"]})["token"]
        assert status(stream(f"Authorization: Bearer {other}")) == 429
        assert status(stream()) == 200
        assert status(stream()) == 429
        assert [status(stream(quiet_token)) for _ in range(5)] == [200] * 4 + [429]
        assert status(stream(from_address("192.0.2.7"))) == 200


def test_a_player_without_limits_is_not_refused(log_server: Valkey, tmp_path: Path) -> None:
    with opened(log_server, tmp_path / "output", CONDOTTIERE_LIMITS="off") as door, Client(door.port) as client:
        for _ in range(3 * BURST):
            client.send(request("GET /v1/bots"))
            assert client.answer().status == 200
