"""Every request that may change something is carried out once for each Idempotency-Key, whatever is lost on the way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from flask import Flask
from redis.connection import AbstractConnection
from werkzeug.test import TestResponse

from service import idempotency
from service.clocks.habits import Habits
from service.clocks.hours import Hours, dumps
from service.clocks.reckoning import DAY
from service.clocks.vacation import Vacation
from service.config import Config
from service.games.repository import Games
from service.store import Store, answers
from service.webhooks import planning

from ..servers import Valkey, Wire, counted
from ..times import Time, clock
from .answers import document
from .conftest import Json, Person, at_once
from .test_openapi import operations, success_of
from .test_webhooks import ALL, URL, add, deliveries, failed, verify

KEY = "9f86d081-884c-4d65-9a2f-eaa0c55ad015"
DUEL = {"edition": "zman-2018-duel", "seats": 2}
UNCLAIMED = {"registerPlayer", "replaceToken", "makeMove"}
"""What honours keys by itself: the first two have tests of their own, and the log answers moves."""


class Table(NamedTuple):
    """Those who ask, and what they ask about."""

    anna: Person
    bruno: Person
    games: Games


class Asked(NamedTuple):
    """A request: who sends it, where, and its body; `other` is another body that could be sent."""

    person: Person
    path: str
    body: Json | None = None
    other: Json | None = None
    headers: Json = {}


def running(table: Table, **asked: Any) -> tuple[Json, Person, Person]:
    """Return a game of two that has started, who is to move, and who is not."""
    game = table.anna.open_game(**DUEL, **asked)
    game = table.bruno.post(f"/games/{game['id']}/join")
    turn = {table.anna.id: (table.anna, table.bruno), table.bruno.id: (table.bruno, table.anna)}
    mover = game["seated"][game["position"]["turn"]]["player"]
    return table.anna.get(f"/games/{game['id']}"), *turn[mover]


def on_game(path: str, body: Json | None = None, other: Json | None = None) -> Callable[[Table], Asked]:
    """Return a request of the player who is to move in a game with a clock."""

    def asked(table: Table) -> Asked:
        game, mover, _ = running(table, clock=clock())
        return Asked(mover, f"/games/{game['id']}/{path}", body, other)

    return asked


def joining(table: Table) -> Asked:
    game = table.anna.open_game()
    return Asked(table.bruno, f"/games/{game['id']}/join", {"seat": 1}, {"seat": 2})


def leaving(table: Table) -> Asked:
    game = table.anna.open_game()
    table.bruno.post(f"/games/{game['id']}/join")
    return Asked(table.bruno, f"/games/{game['id']}/leave")


def starting(table: Table) -> Asked:
    game = table.anna.open_game(**DUEL, start="owner")
    table.bruno.post(f"/games/{game['id']}/join")
    return Asked(table.anna, f"/games/{game['id']}/start")


def moving(table: Table) -> Asked:
    game, mover, _ = running(table)
    first, second, *_ = mover.get(f"/games/{game['id']}")["moves"]
    return Asked(mover, f"/games/{game['id']}/moves", first, second, {"If-Match": f'"{game["version"]}"'})


def taking_back(table: Table) -> Asked:
    table.games.now.passes(0)  # type: ignore[attr-defined]
    chosen = clock(at_timeout="bot", misses=1, bot="steady")
    game, mover, _ = running(table, clock=chosen)
    table.games.now.passes(2 * DAY)  # type: ignore[attr-defined]
    table.anna.get(f"/games/{game['id']}")
    return Asked(mover, f"/games/{game['id']}/return")


def resuming(table: Table) -> Asked:
    game, mover, other = running(table, clock=clock())
    for person in (mover, other):
        person.post(f"/games/{game['id']}/pause")
    return Asked(mover, f"/games/{game['id']}/resume")


def granting(table: Table) -> Asked:
    game, mover, other = running(table, clock=clock())
    mover.post(f"/games/{game['id']}/extension", {"seconds": 600})
    return Asked(other, f"/games/{game['id']}/extension/grant", {"seconds": 600}, {"seconds": 601})


def withdrawing(table: Table) -> Asked:
    game, mover, _ = running(table)
    mover.ask("PUT", f"/games/{game['id']}/orders", json={"after_battle": "keep"})
    return Asked(mover, f"/games/{game['id']}/orders", headers={"If-Match": '"1"'})


def giving(table: Table) -> Asked:
    game, mover, _ = running(table)
    body, other = {"after_battle": "keep"}, {"after_battle": "discard"}
    return Asked(mover, f"/games/{game['id']}/orders", body, other, {"If-Match": '"0"'})


def going(table: Table) -> Asked:
    now = table.games.now()
    saved = Hours(Habits(), Vacation(9 * DAY, now), auto_vacation=False)
    table.games.store.players.change_hours(table.anna.id, b"", dumps(saved))
    return Asked(table.anna, "/me/vacation", {"until": now + DAY}, {"until": now + 2 * DAY})


def coming_back(table: Table) -> Asked:
    asked = going(table)
    table.anna.post("/me/vacation", asked.body)
    return Asked(table.anna, "/me/vacation")


def on_webhook(path: str, body: Json | None = None, other: Json | None = None) -> Callable[[Table], Asked]:
    """Return a request about a webhook that has had deliveries, one of which has failed."""

    def asked(table: Table) -> Asked:
        webhook = add(table.anna)
        verify(table.games, webhook)
        game = table.anna.open_game()
        planning.plan(table.games, ALL)
        failed(table.games, webhook, 1)
        taken = table.games.store.deliveries.take("q", ["q"], dict.fromkeys(ALL, 9), grace=0)
        assert {lane.game for lane in taken} <= {"-", game["id"]}
        number = deliveries(table.anna, webhook)[-1]["number"]
        return Asked(table.anna, f"/webhooks/{webhook['id']}{path.format(number=number)}", body, other)

    return asked


REQUESTS: dict[str, Callable[[Table], Asked]] = {
    "openGame": lambda table: Asked(table.anna, "/games", {**DUEL, "entropy": "c0"}, {**DUEL, "entropy": "c1"}),
    "joinGame": joining,
    "leaveGame": leaving,
    "startGame": starting,
    "makeMove": moving,
    "resign": on_game("resign"),
    "takeSeatBack": taking_back,
    "pauseGame": on_game("pause"),
    "resumeGame": resuming,
    "askForExtension": on_game("extension", {"seconds": 600}, {"seconds": 601}),
    "grantExtension": granting,
    "putOrders": giving,
    "deleteOrders": withdrawing,
    "changeMe": lambda table: Asked(table.anna, "/me", {"time_zone": "Europe/Rome"}, {"time_zone": "Europe/Paris"}),
    "goOnVacation": going,
    "comeBack": coming_back,
    "addWebhook": lambda table: Asked(table.anna, "/webhooks", {"url": URL}, {"url": f"{URL}/other"}),
    "changeWebhook": on_webhook("", {"url": f"{URL}/new", "active": True}, {"payload": "thin"}),
    "removeWebhook": on_webhook(""),
    "replaceSecret": on_webhook("/secret"),
    "pingWebhook": on_webhook("/ping"),
    "redeliver": on_webhook("/deliveries/{number}/redeliver"),
    "redeliverRange": on_webhook("/deliveries/redeliver", {"first": 1, "last": 9}, {"first": 2, "last": 9}),
}
WRITES = {
    operation["operationId"]: (method.upper(), operation)
    for _, method, operation in operations()
    if method in ("post", "put", "patch", "delete")
}


@pytest.fixture
def time() -> Callable[[], int]:
    """A time that passes when a test says so."""
    return Time()


@pytest.fixture
def table(anna: Person, bruno: Person, games: Games) -> Table:
    """Two players, and the games behind the app."""
    return Table(anna, bruno, games)


def send(method: str, asked: Asked, key: str | None = KEY, body: Json | None = None) -> TestResponse:
    """Send a request with a key."""
    headers = {**asked.headers, **({} if key is None else {"Idempotency-Key": key})}
    sent = asked.body if body is None else body
    return asked.person.ask(method, asked.path, headers=headers, **({} if sent is None else {"json": sent}))


READS = {
    b"string": ("GET",),
    b"hash": ("HGETALL",),
    b"list": ("LRANGE", 0, -1),
    b"set": ("SMEMBERS",),
    b"zset": ("ZRANGE", 0, -1, "WITHSCORES"),
    b"stream": ("XINFO STREAM",),
}


def stored(server: Valkey) -> dict[bytes, Any]:
    """Return all that is stored but for the requests that are remembered."""
    with server.client() as client:
        keys = [key for key in client.scan_iter("*") if b":answer:" not in key]
        reads = ((key, *READS[client.type(key)]) for key in keys)
        return {key: client.execute_command(command, key, *rest) for key, command, *rest in reads}


def same(one: TestResponse, other: TestResponse) -> None:
    """Fail unless two answers say the same."""
    assert (other.status_code, other.data) == (one.status_code, one.data), (one.text, other.text)
    for name in ("ETag", "Location", "Content-Type", "Cache-Control"):
        assert other.headers.get(name) == one.headers.get(name), name


def marked(answer: TestResponse) -> bool:
    """Return whether an answer says that it is a repetition."""
    return answer.headers.get("Idempotent-Replayed") == "true"


def test_every_write_is_tried_here() -> None:
    assert set(REQUESTS) == set(WRITES) - {"registerPlayer", "replaceToken"}


@pytest.mark.parametrize("operation", WRITES)
def test_every_write_describes_the_key_and_the_mark(operation: str) -> None:
    _, described = WRITES[operation]
    path = next(item for item in _paths() if described in item.values())
    parameters = [*path.get("parameters", []), *described.get("parameters", [])]
    assert "Idempotency-Key" in {parameter["name"] for parameter in parameters}
    assert "Idempotent-Replayed" in described["responses"][success_of(described)]["headers"]


def _paths() -> Iterator[Json]:
    return iter(document()["paths"].values())


@pytest.mark.parametrize("operation", REQUESTS)
def test_three_identical_requests_have_one_effect_and_one_answer(
    table: Table, log_server: Valkey, operation: str
) -> None:
    method, described = WRITES[operation]
    asked = REQUESTS[operation](table)
    before = stored(log_server)
    first = send(method, asked)
    assert first.status_code == int(success_of(described)), first.text
    assert not marked(first)
    after = stored(log_server)
    assert after != before, "it does something"
    for _ in range(2):
        again = send(method, asked)
        same(first, again)
        assert marked(again)
    assert stored(log_server) == after
    if asked.other is not None:
        refused = send(method, asked, body=asked.other)
        assert (refused.status_code, refused.get_json(force=True)["code"]) == (422, "key-reused")
    assert stored(log_server) == after


@pytest.mark.parametrize("operation", [name for name in REQUESTS if name not in UNCLAIMED])
def test_a_request_that_died_before_its_answer_was_recorded_has_no_second_effect(
    table: Table, log_server: Valkey, operation: str
) -> None:
    method, _ = WRITES[operation]
    asked = REQUESTS[operation](table)
    first = send(method, asked)
    after = stored(log_server)
    with log_server.client() as client:
        (claim,) = client.scan_iter("*:answer:*")
        assert client.hdel(claim, "answer") == 1
    again = send(method, asked)
    same(first, again)
    assert marked(again)
    assert stored(log_server) == after
    same(first, send(method, asked))


@pytest.mark.parametrize("operation", [name for name in REQUESTS if name not in UNCLAIMED])
def test_a_request_that_died_before_it_did_anything_is_carried_out(
    table: Table, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    method, described = WRITES[operation]
    asked = REQUESTS[operation](table)

    def begin_and_die(*args: Any) -> None:
        begin(*args)
        raise SystemExit

    begin = idempotency.begin
    with monkeypatch.context() as patched:
        patched.setattr(idempotency, "begin", begin_and_die)
        with pytest.raises(SystemExit):
            send(method, asked)
    first = send(method, asked)
    assert first.status_code == int(success_of(described)), first.text
    same(first, send(method, asked))


@pytest.mark.parametrize("operation", REQUESTS)
def test_identical_requests_at_one_moment_have_one_effect_and_one_answer(
    table: Table, log_server: Valkey, operation: str
) -> None:
    method, described = WRITES[operation]
    asked = REQUESTS[operation](table)
    before = counts(log_server)
    found = at_once(lambda _: send(method, asked), 6)
    assert found[0].status_code == int(success_of(described)), found[0].text
    for answer in found:
        same(found[0], answer)
    assert [marked(answer) for answer in found].count(False) == 1
    at_most_one_more(before, counts(log_server))


def counts(server: Valkey) -> dict[bytes, int]:
    """Return how many commits, webhooks, deliveries in a lane and deliveries there are, by what holds them."""
    lengths = {b"log:": "LLEN", b"webhooks:": "SCARD", b"lane:": "LLEN", b"deliveries:": "HLEN"}
    with server.client() as client:
        return {
            key: client.execute_command(command, key)
            for key in client.scan_iter("*")
            for kind, command in lengths.items()
            if b"}:" + kind in key
        }


def at_most_one_more(before: dict[bytes, int], after: dict[bytes, int]) -> None:
    """Fail where anything was added twice."""
    assert len(after) <= len(before) + 3, "a log, or a webhook's set, deliveries and lane"
    assert sum(b":log:" in key for key in after) <= sum(b":log:" in key for key in before) + 1
    for key, count in after.items():
        assert count <= before.get(key, 0) + 1, key


@pytest.mark.parametrize("operation", REQUESTS)
def test_an_answer_that_the_store_has_lost_is_asked_for_again(
    app: Flask, table: Table, log_server: Valkey, operation: str
) -> None:
    """Whichever it is: the request has one effect, and its answer is no repetition."""
    method, described = WRITES[operation]
    client, near, wire = app.test_client(), table.games, Wire(log_server)
    far = replace(near, store=Store(Config(redis_url=wire.url, queue_url=log_server.url)))
    trips = lost = 0
    while lost == trips:
        log_server.flush()
        asked = REQUESTS[operation](Table(Person(client, "Anna"), Person(client, "Bruno"), near))
        before = counts(log_server)
        app.extensions["condottiere"] = far
        with losing(wire, trips + 1) as sent:
            answer = send(method, asked)
        app.extensions["condottiere"] = near
        assert (answer.status_code, marked(answer)) == (int(success_of(described)), False), (trips, answer.text)
        same(answer, send(method, asked))
        at_most_one_more(before, counts(log_server))
        trips += 1
        lost += len(sent) >= trips
    assert lost > 2
    far.store.close()
    wire.close()


@contextmanager
def losing(wire: Wire, number: int) -> Iterator[list[int]]:
    """Lose one of the answers that are sent over a wire within the block, by its number; yield one entry for each."""
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


@pytest.mark.parametrize("operation", [name for name in REQUESTS if name not in UNCLAIMED])
def test_a_key_costs_two_round_trips_at_most(games: Games, table: Table, log_server: Valkey, operation: str) -> None:
    method, _ = WRITES[operation]
    client = table.anna._client.application.test_client()

    def trips(key: str | None) -> int:
        log_server.flush()
        asked = REQUESTS[operation](Table(Person(client, "Anna"), Person(client, "Bruno"), games))
        with counted() as sent:
            assert send(method, asked, key).status_code < 300
        return len(sent)

    trips(KEY)  # From then on the server knows the scripts, and the process the secret.
    assert trips(KEY) <= trips(None) + 2


def test_a_key_counts_for_one_caller_one_method_and_one_path(anna: Person, bruno: Person) -> None:
    """Clients that number their requests for each game go on working."""
    games = [send("POST", Asked(person, "/games", DUEL), "1").get_json() for person in (anna, bruno)]
    assert len({game["id"] for game in games}) == 2
    for game, other in zip(games, (bruno, anna), strict=True):
        joined = send("POST", Asked(other, f"/games/{game['id']}/join"), "1")
        assert (joined.status_code, marked(joined)) == (200, False)
    changed = send("PATCH", Asked(anna, "/me", {"auto_vacation": True}), "1")
    assert (changed.status_code, marked(changed)) == (200, False)


def test_a_refused_request_has_not_used_its_key(anna: Person, bruno: Person, log_server: Valkey) -> None:
    game = anna.open_game(**DUEL)
    path = f"/games/{game['id']}/join"
    assert send("POST", Asked(anna, path)).get_json(force=True)["code"] == "already-seated"
    assert send("POST", Asked(anna, path, {"seat": 9})).status_code in (409, 422)
    assert send("POST", Asked(bruno, path, {"sead": 1})).get_json(force=True)["code"] == "unknown-field"
    assert send("POST", Asked(bruno, path, {"seat": 1})).status_code == 200
    with log_server.client() as client:
        assert len(list(client.scan_iter("*:answer:*"))) == 1


def test_a_move_and_another_request_of_a_game_may_have_the_same_key(table: Table) -> None:
    asked = moving(table)
    game = asked.path.removesuffix("/moves")
    for path, body, headers in (("/moves", asked.body, asked.headers), ("/resign", None, {})):
        answer = send("POST", Asked(asked.person, game + path, body, headers=headers), "1")
        assert (answer.status_code // 100, marked(answer)) == (2, False)


def test_a_game_is_answered_from_its_log_when_the_request_is_forgotten(table: Table, log_server: Valkey) -> None:
    """Also later, and when the game has long gone on."""
    asked = joining(table)
    first = send("POST", asked)
    table.anna.post(asked.path.replace("join", "leave"))
    with log_server.client() as client:
        client.delete(*client.scan_iter("*:answer:*"))
    again = send("POST", asked)
    same(first, again)
    assert marked(again)
    with log_server.client() as client:
        client.delete(*client.scan_iter("*:answer:*"))
    assert send("POST", asked, body=asked.other).get_json(force=True)["code"] == "key-reused"


def test_what_is_remembered_is_small_and_forgotten(table: Table, log_server: Valkey) -> None:
    for operation in ("openGame", "joinGame", "changeMe", "addWebhook", "putOrders"):
        send(WRITES[operation][0], REQUESTS[operation](table), operation)
    with log_server.client() as client:
        claims = list(client.scan_iter("*:answer:*"))
        assert len(claims) == 5
        for claim in claims:
            assert 24 * 3_600_000 < client.pttl(claim) <= answers.KEPT
            assert client.memory_usage(claim) < 1_500
        assert {claim.split(b":")[1] for claim in claims} <= {
            b"{s%b}" % person.id[1:3].encode() for person in (table.anna, table.bruno)
        }


def test_what_is_remembered_of_a_game_shows_no_hand(table: Table, log_server: Valkey) -> None:
    game, mover, _ = running(table, clock=clock())
    view = send("POST", Asked(mover, f"/games/{game['id']}/pause")).get_json()
    cards = {card for seat in view["position"]["seats"] for card in seat["hand"].get("cards", [])}
    assert cards
    with log_server.client() as client:
        kept = [client.hget(claim, "answer") for claim in client.scan_iter("*:answer:*")]
    assert [set(json.loads(answer)) for answer in kept] == [{"status", "game", "version"}]


def test_a_replaced_token_is_told_no_recorded_answer(anna: Person) -> None:
    send("POST", Asked(anna, "/games", DUEL))
    anna.post("/me/token", status=201)
    assert send("POST", Asked(anna, "/games", DUEL)).status_code == 401


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
    assert send("POST", Asked(anna, "/games", DUEL), key).get_json(force=True)["code"] == "malformed-header"


def test_what_changed_nothing_gets_its_first_answer_too(table: Table) -> None:
    """A second wish for a pause changes nothing; a repetition of it shows the game as it was then."""
    game, mover, other = running(table, clock=clock())
    path = f"/games/{game['id']}/pause"
    mover.post(path)
    first = send("POST", Asked(mover, path))
    assert (first.status_code, marked(first)) == (200, False)
    other.post(path)
    assert mover.ask("POST", path).status_code == 409
    again = send("POST", Asked(mover, path))
    same(first, again)
    assert marked(again)


def test_nobody_else_can_tell_that_orders_were_given_with_a_key(table: Table, spectator: Person) -> None:
    asked = giving(table)
    game = asked.path.removesuffix("/orders")
    other = table.bruno if asked.person is table.anna else table.anna
    paths = [game, f"{game}/events", "/games?status=running"]
    before = [who.ask("GET", path).data for who in (other, spectator) for path in paths]
    assert send("PUT", asked).status_code == 200
    assert [who.ask("GET", path).data for who in (other, spectator) for path in paths] == before
    mine = send("PUT", Asked(other, asked.path, asked.body))
    assert (mine.status_code, marked(mine)) == (200, False), "a key is its caller's own"


def test_a_repetition_after_later_changes_does_not_undo_them(
    anna: Person, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the process died before it could record the answer."""

    def die(*_: object) -> None:
        raise SystemExit

    first = Asked(anna, "/me", {"time_zone": "Europe/Rome"})
    with monkeypatch.context() as patched:
        patched.setattr(games.store.answers, "record", die)
        with pytest.raises(SystemExit):
            send("PATCH", first)
    anna.ask("PATCH", "/me", json={"time_zone": "Europe/Paris"})
    assert send("PATCH", first).status_code == 200
    assert anna.get("/me")["hours"]["time_zone"] == "Europe/Paris"
