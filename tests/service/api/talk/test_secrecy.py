"""Two worlds that differ only in private messages between others look the same to everybody else, byte for byte."""

from __future__ import annotations

import re
from typing import Any

import pytest
import redis
from flask import Flask

from service.games.repository import Games
from service.webhooks import planning, talk

from ...servers import Valkey
from ...times import Time
from ..conftest import Person
from ..test_limits import limiting
from ..test_webhooks import ALL, add, deliveries, verify
from .conftest import Opening, Table

HEADERS = ("ETag", "Cache-Control", "Content-Length", "RateLimit", "RateLimit-Policy", "Retry-After")


def dump(games: Games) -> dict[bytes, bytes]:
    client: redis.Redis = games.store._server._connect().nodes()[0]
    return {key: client.dump(key) for key in client.keys("*")}


def restore(games: Games, snapshot: dict[bytes, bytes]) -> None:
    pipe = games.store._server._connect().nodes()[0].pipeline(transaction=False)
    pipe.flushdb()
    for key, value in snapshot.items():
        pipe.restore(key, 0, value)
    pipe.execute()


def bytes_of(person: Person, method: str, path: str, **more: Any) -> tuple[Any, ...]:
    """Return everything that a response tells, but for the random id of a message that the caller has just sent."""
    answer = person.ask(method, path, **more)
    headers = [re.sub("t=[0-9]+", "", answer.headers.get(name, "")) for name in HEADERS]  # Seconds that pass here.
    return answer.status_code, re.sub(rb'"id":"m\w{16}"', b'"id":""', answer.data), *headers


def stream_of(person: Person, path: str) -> bytes:
    """Return what a stream sends at once."""
    with person._client.application.test_client().get(f"/v1{path}", headers=person.headers) as answer:
        return next(answer.iter_encoded())


def everything(table: Table, person: Person, games: Games, webhook: Any) -> list[Any]:
    """Return the bytes of all that somebody can get of a table, reading and writing."""
    game = f"/games/{table.game}"
    paths = [game, f"{game}/events", f"{game}/record", table.path, f"{table.path}?newest=true", f"{table.path}?limit=1"]
    paths += [
        "/games?status=running",
        "/games?status=mine",
        "/me/events",
        "/me/events?talk=true",
        "/me/turns",
        "/me/talk",
    ]
    paths += ["/me/blocks", f"/players/{table.anna.id}", f"/players/{table.bruno.id}", f"{table.path}/mutes"]
    found: list[Any] = [bytes_of(person, "GET", path) for path in paths]
    found += [stream_of(person, path) for path in ("/me/events/stream", "/me/events/stream?talk=true")]
    found += [{**person.get("/me/export"), "exported_at": 0, "hours": {}}]
    planning.plan(games, ALL)
    talk.plan(games, ALL)
    found.append(deliveries(person, webhook))
    upto = table.read(person)["next"]
    found.append(upto)
    found.append(bytes_of(person, "PUT", f"{table.path}/read", json={"upto": upto}))
    for room in ({"room": "table"}, {"room": "seats", "seats": [0]}, {"room": "spectators"}):
        found.append(bytes_of(person, "POST", table.path, json={**room, "text": "What did you say?"}))
    found.append(bytes_of(person, "GET", table.path))
    found.append(bytes_of(person, "GET", "/me/events?talk=true"))
    return found


def whispers(table: Table) -> None:
    """Let two players talk in private, and read it."""
    table.whisper(table.anna, 1, text="Let us attack Clara")
    table.whisper(table.bruno, 0, text="Yes")
    for person in (table.anna, table.bruno):
        person.ask("PUT", f"{table.path}/read", json={"upto": table.read(person)["next"]})


@pytest.mark.parametrize("who", ["clara", "watcher"])
def test_a_private_message_leaves_no_trace_for_others(
    opened: Opening, games: Games, time: Time, app: Flask, log_server: Valkey, who: str
) -> None:
    table = opened()
    person: Person = getattr(table, who)
    webhook = add(person)
    verify(games, webhook)
    table.say(table.anna, "Good morning")
    table.whisper(table.anna, 2, text="Hello Clara")
    with limiting(app, log_server, {}):
        snapshot, now = dump(games), time.now
        without = everything(table, person, games, webhook)
        restore(games, snapshot)
        time.now = now
        whispers(table)
        assert everything(table, person, games, webhook) == without


def test_the_host_sees_no_message_that_nobody_has_reported(table: Table, host: Person) -> None:
    paths = [f"/games/{table.game}", "/games", "/players?name=", "/players/Anna", "/reports", "/audit"]
    before = [host.ask("GET", f"/admin{path}").data for path in paths]
    whispers(table)
    assert [host.ask("GET", f"/admin{path}").data for path in paths] == before


def test_a_private_message_wakes_nobody_else(table: Table, games: Games) -> None:
    """The announcement names no topic for which somebody else waits: the game's, or that of another reader."""
    with games.store._server._connect().nodes()[0].pubsub() as channel:
        channel.subscribe("condottiere:wakes")
        assert channel.get_message(timeout=5)
        table.whisper(table.anna, 1)
        message = channel.get_message(timeout=5)
        assert message is not None
        announced = message["data"].decode().split(" ")
    bruno, anna = table.bruno.id, table.anna.id
    assert announced == [f"talk-{table.game}", "0", anna, bruno, f"{table.game}:{anna}", f"{table.game}:{bruno}"]


def test_who_was_blocked_cannot_tell(table: Table, games: Games, time: Time) -> None:
    webhook = add(table.bruno)
    verify(games, webhook)
    snapshot, now = dump(games), time.now

    def seen() -> list[Any]:
        table.say(table.bruno, "To all")
        time.now += 1  # Messages of one millisecond are in no particular order.
        table.whisper(table.bruno, 0, text="To Anna")
        found = everything(table, table.bruno, games, webhook)
        assert table.anna.ask("PUT", f"/me/blocks/{table.clara.id}").status_code == 204
        return found

    without = seen()
    restore(games, snapshot)
    time.now = now
    assert table.anna.ask("PUT", f"/me/blocks/{table.bruno.id}").status_code == 204
    blocked = seen()

    def masked(found: list[Any]) -> str:
        return re.sub(r"m[0-9a-z]{16}", "", repr(found))

    assert masked(blocked) == masked(without)
