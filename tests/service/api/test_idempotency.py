"""Idempotency: requests are carried out once for each Idempotency-Key, whatever is lost on the way.

The tests cover every request that may change something.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask
from redis.connection import AbstractConnection
from werkzeug.test import TestResponse

from service import idempotency
from service.config import Config
from service.games.repository import Caps, Games
from service.store import Store, answers

from ..servers import Valkey, Wire, counted
from ..times import Time, clock
from .conftest import Person, as_host, at_once
from .test_openapi import KEYLESS, success_of
from .writes import (
    DUEL,
    KEY,
    REQUESTS,
    WRITES,
    Request,
    Table,
    Write,
    giving,
    joining,
    marked,
    moving,
    running,
    same,
    send,
    write_of,
)

CLAIMED = [operation for operation in REQUESTS if operation != "makeMove"]
"""Operations whose requests are claimed and whose responses are recorded; repeated moves are answered from the log."""


@pytest.fixture
def time() -> Callable[[], int]:
    """A clock that a test can advance."""
    return Time()


@pytest.fixture
def table(anna: Person, bruno: Person, games: Games, host: Person) -> Table:
    """Two players, the games behind the app, and the host."""
    return Table(anna, bruno, games, host)


@pytest.fixture
def write(table: Table, operation: str) -> Write:
    """A request of the operation under test."""
    return write_of(operation, table)


READS = {
    b"string": ("GET",),
    b"hash": ("HGETALL",),
    b"list": ("LRANGE", 0, -1),
    b"set": ("SMEMBERS",),
    b"zset": ("ZRANGE", 0, -1, "WITHSCORES"),
    b"stream": ("XINFO STREAM",),
}


def stored(server: Valkey) -> dict[bytes, Any]:
    """Return everything that is stored, except the remembered requests."""
    with server.client() as client, client.pipeline(transaction=False) as pipe:
        keys = [key for key in client.keys("*") if b":answer:" not in key]
        for key in keys:
            pipe.type(key)
        for key, kind in zip(keys, pipe.execute(), strict=True):
            command, *rest = READS[kind]
            pipe.execute_command(command, key, *rest)
        return dict(zip(keys, pipe.execute(), strict=True))


def test_every_write_is_tried_here() -> None:
    other_keys = {"registerPlayer", "replaceToken", "exchangeDevice", "recoverAccount"}
    assert set(REQUESTS) == set(WRITES) - other_keys - KEYLESS


@pytest.mark.parametrize("operation", WRITES)
def test_every_write_describes_the_key_and_the_mark(operation: str) -> None:
    _, described = WRITES[operation]
    has_key = "Idempotency-Key" in {parameter["name"] for parameter in described["parameters"]}
    has_mark = "Idempotent-Replayed" in described["responses"][success_of(described)]["headers"]
    assert (has_key, has_mark) == (operation not in KEYLESS,) * 2


@pytest.mark.parametrize("operation", REQUESTS)
def test_three_identical_requests_have_one_effect_and_one_answer(write: Write, log_server: Valkey) -> None:
    before = stored(log_server)
    first = write.succeed()
    assert not marked(first)
    after = stored(log_server)
    assert after != before, "it does something"
    for _ in range(2):
        again = write.send()
        same(first, again)
        assert marked(again)
    assert stored(log_server) == after
    if write.request.other is not None:
        refused = write.send(body=write.request.other)
        assert (refused.status_code, refused.get_json(force=True)["code"]) == (422, "key-reused")
    assert stored(log_server) == after


@pytest.mark.parametrize("operation", CLAIMED)
def test_a_request_that_died_before_its_answer_was_recorded_has_no_second_effect(
    write: Write, log_server: Valkey
) -> None:
    first = write.send()
    after = stored(log_server)
    with log_server.client() as client:
        (claim,) = client.scan_iter("*:answer:*")
        assert client.hdel(claim, "answer") == 1
    again = write.send()
    same(first, again)
    assert marked(again)
    assert stored(log_server) == after
    same(first, write.send())


@pytest.mark.parametrize("operation", CLAIMED)
def test_a_request_that_died_before_it_did_anything_is_carried_out(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin_and_die(*args: Any) -> None:
        begin(*args)
        raise SystemExit

    begin = idempotency.begin
    with monkeypatch.context() as patched:
        patched.setattr(idempotency, "begin", begin_and_die)
        with pytest.raises(SystemExit):
            write.send()
    same(write.succeed(), write.send())


@pytest.mark.parametrize("operation", CLAIMED)
def test_a_request_that_is_overtaken_by_its_repetition_succeeds(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    same(overtaken(write, monkeypatch), write.send())


@pytest.mark.parametrize("operation", ["openGame", "joinGame", "acceptInvitation", "proposeRematch", "addWebhook"])
def test_a_request_for_the_last_place_of_a_cap_succeeds_if_its_repetition_overtakes_it(
    write: Write, operation: str, app: Flask, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = write.request.person
    counted = games.store.current.count(person.id)
    caps = Caps(open_games=counted.open_owned + 1, games=counted.games + 1, webhooks=1)
    app.extensions["condottiere"] = replace(games, caps=caps)
    same(overtaken(write, monkeypatch), write.send())
    one_more = write.request if operation == "addWebhook" else Request(person, "/games", DUEL)
    assert send("POST", one_more, "another-key").get_json(force=True)["code"].startswith("too-many-")


def overtaken(write: Write, monkeypatch: pytest.MonkeyPatch) -> TestResponse:
    """Send a request, and return its response.

    Before the request is carried out, its repetition has its effect, but does not record its response.
    """

    def begin_late(*args: Any) -> Any:
        attempt = begin(*args)
        with monkeypatch.context() as patched:
            patched.setattr(idempotency, "begin", begin)
            patched.setattr(idempotency, "record", die)
            with pytest.raises(SystemExit):
                write.send()
        return attempt

    def die(*_args: Any) -> None:
        raise SystemExit

    begin = idempotency.begin
    with monkeypatch.context() as patched:
        patched.setattr(idempotency, "begin", begin_late)
        return write.succeed()


@pytest.mark.parametrize("operation", REQUESTS)
def test_identical_requests_at_one_moment_have_one_effect_and_one_answer(write: Write, log_server: Valkey) -> None:
    before = counts(log_server)
    found = at_once(lambda _: write.succeed(), 6)
    for answer in found:
        same(found[0], answer)
    assert [marked(answer) for answer in found].count(False) == 1
    at_most_one_more(before, counts(log_server))


def counts(server: Valkey) -> dict[bytes, int]:
    """Return the numbers of commits, webhooks, deliveries in lanes and deliveries, by key."""
    lengths = {b"log:": "LLEN", b"webhooks:": "SCARD", b"lane:": "LLEN", b"deliveries:": "HLEN"}
    with server.client() as client:
        return {
            key: client.execute_command(command, key)
            for key in client.scan_iter("*")
            for kind, command in lengths.items()
            if b"}:" + kind in key
        }


def at_most_one_more(before: dict[bytes, int], after: dict[bytes, int]) -> None:
    """Fail if anything was added twice."""
    assert len(after) <= len(before) + 3, "a log, or a webhook's set, deliveries and lane"
    assert sum(b":log:" in key for key in after) <= sum(b":log:" in key for key in before) + 1
    for key, count in after.items():
        assert count <= before.get(key, 0) + 1, key


@pytest.mark.parametrize("operation", REQUESTS)
def test_an_answer_that_the_store_has_lost_is_asked_for_again(
    app: Flask, games: Games, log_server: Valkey, operation: str
) -> None:
    """Whichever response is lost, the request has one effect, and the client does not get a repetition."""
    client, near, wire = app.test_client(), games, Wire(log_server)
    far = replace(near, store=Store(Config(redis_url=wire.url, queue_url=log_server.url)))
    trips = lost = 0
    while lost == trips:
        log_server.flush()
        host = as_host(Person(client, "Host"), near)
        write = write_of(operation, Table(Person(client, "Anna"), Person(client, "Bruno"), near, host))
        before = counts(log_server)
        app.extensions["condottiere"] = far
        with losing(wire, trips + 1) as sent:
            answer = write.send()
        app.extensions["condottiere"] = near
        assert (answer.status_code, marked(answer)) == (write.success, False), (trips, answer.text)
        same(answer, write.send())
        at_most_one_more(before, counts(log_server))
        trips += 1
        lost += len(sent) >= trips
    assert lost >= 2
    far.store.close()
    wire.close()


@contextmanager
def losing(wire: Wire, number: int) -> Iterator[list[int]]:
    """Lose one response on a wire within the block, by its number; the yielded list gets an entry for each response."""
    sent: list[int] = []
    send_packed = AbstractConnection.send_packed_command

    def counting(self: AbstractConnection, command: Any, check_health: bool = True) -> Any:
        if check_health and self.path == wire.url.removeprefix("unix://"):
            sent.append(1)
            if len(sent) == number:
                wire.lose()
        return send_packed(self, command, check_health=check_health)

    with patch.object(AbstractConnection, "send_packed_command", counting):
        yield sent


@pytest.mark.parametrize("operation", CLAIMED)
def test_a_key_costs_two_round_trips_at_most(app: Flask, games: Games, log_server: Valkey, operation: str) -> None:
    client = app.test_client()

    def trips(key: str | None) -> int:
        log_server.flush()
        host = as_host(Person(client, "Host"), games)
        write = write_of(operation, Table(Person(client, "Anna"), Person(client, "Bruno"), games, host))
        with counted() as sent:
            assert write.send(key).status_code < 300
        return len(sent)

    trips(KEY)  # After these requests, the server knows the scripts and the process knows the secret.
    assert trips(KEY) <= trips(None) + 2


def test_a_key_counts_for_one_caller_one_method_and_one_path(anna: Person, bruno: Person) -> None:
    """Clients that number their requests separately for each game therefore work."""
    games = [send("POST", Request(person, "/games", DUEL), "1").get_json() for person in (anna, bruno)]
    assert len({game["id"] for game in games}) == 2
    for game, other in zip(games, (bruno, anna), strict=True):
        joined = send("POST", Request(other, f"/games/{game['id']}/join"), "1")
        assert (joined.status_code, marked(joined)) == (200, False)
    changed = send("PATCH", Request(anna, "/me", {"auto_vacation": True}), "1")
    assert (changed.status_code, marked(changed)) == (200, False)


def test_a_refused_request_has_not_used_its_key(anna: Person, bruno: Person, log_server: Valkey) -> None:
    game = anna.open_game(**DUEL)
    path = f"/games/{game['id']}/join"
    assert send("POST", Request(anna, path)).get_json(force=True)["code"] == "already-seated"
    assert send("POST", Request(anna, path, {"seat": 9})).status_code in (409, 422)
    assert send("POST", Request(bruno, path, {"sead": 1})).get_json(force=True)["code"] == "unknown-field"
    assert send("POST", Request(bruno, path, {"seat": 1})).status_code == 200
    with log_server.client() as client:
        assert len(list(client.scan_iter("*:answer:*"))) == 1


def test_a_move_and_another_request_of_a_game_may_have_the_same_key(table: Table) -> None:
    request = moving(table)
    game = request.path.removesuffix("/moves")
    for path, body, headers in (("/moves", request.body, request.headers), ("/resign", None, {})):
        answer = send("POST", Request(request.person, game + path, body, headers=headers), "1")
        assert (answer.status_code // 100, marked(answer)) == (2, False)


def test_a_game_is_answered_from_its_log_when_the_request_is_forgotten(table: Table, log_server: Valkey) -> None:
    """The response is correct even later, when the game has continued."""
    request = joining(table)
    first = send("POST", request)
    table.anna.post(request.path.replace("join", "leave"))
    with log_server.client() as client:
        client.delete(*client.scan_iter("*:answer:*"))
    again = send("POST", request)
    same(first, again)
    assert marked(again)
    with log_server.client() as client:
        client.delete(*client.scan_iter("*:answer:*"))
    assert send("POST", request, body=request.other).get_json(force=True)["code"] == "key-reused"


def test_what_is_remembered_is_small_and_forgotten(table: Table, log_server: Valkey) -> None:
    for operation in ("openGame", "joinGame", "changeMe", "addWebhook", "putOrders"):
        write_of(operation, table).send(operation)
    with log_server.client() as client:
        claims = list(client.scan_iter("*:answer:*"))
        assert len(claims) == 5
        for claim in claims:
            assert 24 * 3_600_000 < client.pttl(claim) <= answers.RETENTION
            assert client.memory_usage(claim) < 1_500
        assert {claim.split(b":")[1] for claim in claims} <= {
            b"{s%b}" % person.id[1:3].encode() for person in (table.anna, table.bruno)
        }


def test_what_is_remembered_of_a_game_shows_no_hand(table: Table, log_server: Valkey) -> None:
    game, mover, _ = running(table, clock=clock())
    view = send("POST", Request(mover, f"/games/{game['id']}/pause")).get_json()
    cards = {card for seat in view["position"]["seats"] for card in seat["hand"].get("cards", [])}
    assert cards
    with log_server.client() as client:
        kept = [client.hget(claim, "answer") for claim in client.scan_iter("*:answer:*")]
    assert [set(json.loads(answer)) for answer in kept] == [{"status", "game", "version"}]


def test_a_replaced_token_is_told_no_recorded_answer(anna: Person) -> None:
    send("POST", Request(anna, "/games", DUEL))
    anna.post("/me/token", status=201)
    assert send("POST", Request(anna, "/games", DUEL)).status_code == 401


@pytest.mark.parametrize(
    "text", ['{"edition":' + "[" * 300 + "]" * 300 + "}", '{"edition":"\\ud800"}', "[", "[1]", "7", ""]
)
def test_a_body_that_no_operation_takes_is_refused_as_without_a_key(anna: Person, text: str) -> None:
    headers = {"Content-Type": "application/json"}
    refused = anna.ask("POST", "/games", data=text, headers=headers)
    with_key = anna.ask("POST", "/games", data=text, headers={**headers, "Idempotency-Key": KEY})
    same(refused, with_key)
    assert refused.status_code in (400, 422)


@pytest.mark.parametrize("key", ["", "two words", "x" * 201])
def test_a_key_that_cannot_be_read_is_refused(anna: Person, key: str) -> None:
    assert send("POST", Request(anna, "/games", DUEL), key).get_json(force=True)["code"] == "malformed-header"


def test_what_changed_nothing_gets_its_first_answer_too(table: Table) -> None:
    """A second request for a pause changes nothing. Repeating it shows the game as it was then."""
    game, mover, other = running(table, clock=clock())
    path = f"/games/{game['id']}/pause"
    mover.post(path)
    first = send("POST", Request(mover, path))
    assert (first.status_code, marked(first)) == (200, False)
    other.post(path)
    assert mover.ask("POST", path).status_code == 409
    again = send("POST", Request(mover, path))
    same(first, again)
    assert marked(again)


def test_nobody_else_can_tell_that_orders_were_given_with_a_key(table: Table, spectator: Person) -> None:
    request = giving(table)
    game = request.path.removesuffix("/orders")
    other = table.bruno if request.person is table.anna else table.anna
    paths = [game, f"{game}/events", "/games?status=running"]
    before = [who.ask("GET", path).data for who in (other, spectator) for path in paths]
    assert send("PUT", request).status_code == 200
    assert [who.ask("GET", path).data for who in (other, spectator) for path in paths] == before
    mine = send("PUT", Request(other, request.path, request.body))
    assert (mine.status_code, marked(mine)) == (200, False), "each caller has separate keys"


def test_a_repetition_after_later_changes_does_not_undo_them(
    anna: Person, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test includes a process that died before it could record the response."""

    def die(*_: object) -> None:
        raise SystemExit

    first = Request(anna, "/me", {"time_zone": "Europe/Rome"})
    with monkeypatch.context() as patched:
        patched.setattr(games.store.answers, "record", die)
        with pytest.raises(SystemExit):
            send("PATCH", first)
    anna.ask("PATCH", "/me", json={"time_zone": "Europe/Paris"})
    assert send("PATCH", first).status_code == 200
    assert anna.get("/me")["hours"]["time_zone"] == "Europe/Paris"
