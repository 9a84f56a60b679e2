"""Webhooks in the Python client: signatures, and the adapters for Flask and Starlette."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import httpx
import pytest
from condottiere_client import webhooks
from condottiere_client.errors import BadSignature
from flask import Flask
from standardwebhooks import Webhook
from starlette.applications import Starlette
from starlette.routing import Route

from service.webhooks.signing import headers, new_secret

from .servers import Json

SECRET, OTHER = new_secret(), new_secret()
MOVES = [{"type": "pass"}, {"type": "play-card", "card": "spring"}]
TURN = {"type": "turn.started", "data": {"game": "g1", "view": {"id": "g1", "moves": MOVES}, "moves": []}}
PING = {"type": "ping", "data": {"challenge": "c1"}}

Send = Callable[..., tuple[int, Any]]


def signed(event: Json, *secrets: str, late: int = 0) -> tuple[bytes, dict[str, str]]:
    """Return a delivery's body and headers, signed as the service signs them."""
    body = json.dumps(event).encode()
    return body, headers("msg_w1_7", int(time.time()) - late, body, secrets or [SECRET])


# Signatures


def test_a_delivery_of_the_service_is_genuine() -> None:
    body, given = signed(PING)
    assert webhooks.verify(body, given, SECRET) == PING
    assert webhooks.verify(body, {name.title(): value for name, value in given.items()}, SECRET) == PING
    assert Webhook(SECRET).verify(body, given) == PING


def test_one_secret_of_several_is_enough() -> None:
    """While a secret is being replaced, both sides may have two secrets, and a delivery has two signatures."""
    assert webhooks.verify(*signed(PING), [OTHER, SECRET]) == PING
    assert webhooks.verify(*signed(PING, OTHER, SECRET), SECRET) == PING


@pytest.mark.parametrize("late", [301, -301])
def test_a_delivery_from_another_time_is_refused(late: int) -> None:
    body, given = signed(PING, late=late)
    with pytest.raises(BadSignature, match="too long ago, or the clocks differ"):
        webhooks.verify(body, given, SECRET)
    assert webhooks.verify(body, given, SECRET, tolerance=400) == PING


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
@pytest.mark.parametrize("value", [None, "", "1", "v1,", "v1,é", "v2,AAAA", "\ud800"])
def test_a_changed_header_is_refused(name: str, value: str | None) -> None:
    body, given = signed(PING)
    changed = {**given, name: value} if value is not None else {key: given[key] for key in given if key != name}
    with pytest.raises(BadSignature):
        webhooks.verify(body, changed, SECRET)


def test_a_changed_body_and_another_secret_are_refused() -> None:
    body, given = signed(PING)
    for content, secret in ((body + b" ", SECRET), (body, OTHER), (body, [OTHER])):
        with pytest.raises(BadSignature, match="no signature is valid"):
            webhooks.verify(content, given, secret)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_c2hvcnQ=", "whsec_?", []])
def test_a_secret_that_anybody_could_guess_is_refused(secret: str | list[str]) -> None:
    """It is refused even if it matches the signature: an unset environment variable must not let everybody in."""
    with pytest.raises(ValueError, match=r"at least 24 bytes|base64|padding"):
        webhooks.verify(*signed(PING), secret)


# Adapters


def with_flask(*arguments: Any) -> Send:
    """Return a function that sends a delivery to a Flask app."""
    app = Flask("bot")
    app.add_url_rule("/", view_func=webhooks.flask(*arguments), methods=["POST"])

    def send(body: bytes, given: dict[str, str]) -> tuple[int, Any]:
        answer = app.test_client().post("/", data=body, headers=given)
        return answer.status_code, answer.get_json(silent=True)

    return send


def with_starlette(*arguments: Any) -> Send:
    """Return a function that sends a delivery to a Starlette app."""
    app = Starlette(routes=[Route("/", webhooks.starlette(*arguments), methods=["POST"])])

    async def ask(body: bytes, given: dict[str, str]) -> tuple[int, Any]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://bot") as client:
            answer = await client.post("/", content=body, headers=given)
            return answer.status_code, answer.json() if answer.content else None

    return lambda body, given: asyncio.run(ask(body, given))


@pytest.fixture(params=[with_flask, with_starlette])
def adapter(request: pytest.FixtureRequest) -> Callable[..., Send]:
    """A function that creates an app with one of the adapters."""
    make: Callable[..., Send] = request.param
    return make


def second(view: Json) -> Json:
    """Choose the second move."""
    move: Json = view["moves"][1]
    return move


def test_a_bot_answers_the_challenge_and_its_turns(adapter: Callable[..., Send]) -> None:
    send = adapter(second, SECRET)
    assert send(*signed(PING)) == (200, {"challenge": "c1"})
    assert send(*signed(TURN)) == (200, {"move": MOVES[1]})
    assert send(*signed({"type": "game.ended", "data": {}})) == (204, None)


def test_nobody_else_is_answered(adapter: Callable[..., Send]) -> None:
    chosen: list[Json] = []
    send = adapter(chosen.append, SECRET, lambda event, _: chosen.append(event))
    for event in (PING, TURN):
        assert send(*signed(event, OTHER)) == (401, None)
        assert send(json.dumps(event).encode(), {}) == (401, None)
    assert chosen == []


def test_a_bot_may_move_later(adapter: Callable[..., Send]) -> None:
    assert adapter(lambda _: None, SECRET)(*signed(TURN)) == (202, None)


def test_other_events_and_thin_turns_go_to_a_function(adapter: Callable[..., Send]) -> None:
    events: list[tuple[Json, str]] = []
    thin = {"type": "turn.started", "data": {"game": "g1"}}
    ended = {"type": "of.a.later.release", "data": {}}
    send = adapter(second, SECRET, lambda event, delivery: events.append((event, delivery)))
    assert [send(*signed(event)) for event in (thin, ended)] == [(204, None)] * 2
    assert events == [(thin, "msg_w1_7"), (ended, "msg_w1_7")]


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_c2hvcnQ=", "whsec_?", [SECRET, ""], []])
def test_a_malformed_secret_is_found_at_the_start(adapter: Callable[..., Send], secret: str | list[str]) -> None:
    with pytest.raises(ValueError, match=r"at least 24 bytes|base64|padding"):
        adapter(second, secret)


@pytest.mark.parametrize("genuine", [True, False])
def test_a_delivery_that_is_too_large_is_not_read(adapter: Callable[..., Send], genuine: bool) -> None:
    send = adapter(second, SECRET)
    fits = json.dumps(PING).encode().ljust(webhooks.LARGEST)
    for body, status in ((fits, 200), (fits + b" ", 413)):
        given = headers("msg_w1_7", int(time.time()), body, [SECRET if genuine else OTHER])
        assert send(body, given)[0] == (status if genuine or status == 413 else 401)


def test_a_large_body_without_a_length_is_left_unread() -> None:
    """The endpoints stop reading at the chunk that exceeds the maximum size."""
    sent = 0

    def chunks() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(64):
            sent += 1
            yield bytes(2**20)

    async def send() -> httpx.Response:
        async def content() -> AsyncIterator[bytes]:
            for chunk in chunks():
                yield chunk

        app = Starlette(routes=[Route("/", webhooks.starlette(second, SECRET), methods=["POST"])])
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://bot") as client:
            return await client.post("/", content=content())

    assert (asyncio.run(send()).status_code, sent) == (413, 5)


def test_one_app_may_have_several_bots() -> None:
    app = Flask("bots")
    for rule in ("/one", "/two"):
        app.add_url_rule(rule, view_func=webhooks.flask(second, SECRET), methods=["POST"])
    body, given = signed(TURN)
    for rule in ("/one", "/two"):
        assert app.test_client().post(rule, data=body, headers=given).get_json() == {"move": MOVES[1]}


def test_a_coroutine_function_may_choose() -> None:
    events: list[Json] = []

    async def choose(view: Json) -> Json:
        await asyncio.sleep(0)
        return second(view)

    async def listen(event: Json, delivery: str) -> None:
        await asyncio.sleep(0)
        assert delivery == "msg_w1_7"
        events.append(event)

    functions: tuple[Callable[..., Awaitable[Any]], ...] = (choose, listen)
    send = with_starlette(functions[0], SECRET, functions[1])
    assert send(*signed(TURN)) == (200, {"move": MOVES[1]})
    assert send(*signed({"type": "game.ended", "data": {}})) == (204, None)
    assert len(events) == 1
