"""Two worlds that differ only in private messages look the same, byte for byte, to everybody who cannot read them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import redis
from flask import Flask

from engine import EDITIONS, NEWEST
from service.games.repository import Games
from service.webhooks.formats import FORMATS

from ...servers import Valkey
from ...times import Time
from ..conftest import Person
from ..receivers import DIGEST, IN_EVERY_FORMAT, Receivers, receivers_of, that_differ
from ..test_limits import limiting
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
    """Return all bytes of a response, without the random id of a message that the caller has just sent."""
    answer = person.ask(method, path, **more)
    headers = [re.sub("t=[0-9]+", "", answer.headers.get(name, "")) for name in HEADERS]  # Seconds that pass here.
    return answer.status_code, re.sub(rb'"id":"m\w{16}"', b'"id":""', answer.data), *headers


def stream_of(person: Person, path: str) -> bytes:
    """Return what a stream sends immediately."""
    with person._client.application.test_client().get(f"/v1{path}", headers=person.headers) as answer:
        return next(answer.iter_encoded())


def everything(table: Table, person: Person, receivers: Receivers) -> dict[str, Any]:
    """Return the bytes of everything that a person can get from a table, by reading and writing, by channel."""
    game = f"/games/{table.game}"
    paths = [game, f"{game}/events", f"{game}/record", table.path, f"{table.path}?newest=true", f"{table.path}?limit=1"]
    paths += [
        "/games?status=running",
        "/games?status=mine",
        "/me/events",
        "/me/events?talk=true",
        "/me/turns",
        "/me/talk",
        "/me/invitations",
    ]
    paths += ["/me/blocks", f"/players/{table.anna.id}", f"/players/{table.bruno.id}", f"{table.path}/mutes"]
    found: dict[str, Any] = {path: bytes_of(person, "GET", path) for path in paths}
    for path in (f"{game}/events/stream", "/me/events/stream", "/me/events/stream?talk=true"):
        found[path] = stream_of(person, path)
    found["/me/export"] = {**person.get("/me/export"), "exported_at": 0, "hours": {}}
    found |= receivers.sent()
    upto = table.read(person)["next"]
    found["next"] = upto
    found["read"] = bytes_of(person, "PUT", f"{table.path}/read", json={"upto": upto})
    for room in ({"room": "table"}, {"room": "seats", "seats": [0]}, {"room": "spectators"}):
        text = "What did you say?"
        found[f"writing to {room['room']}"] = bytes_of(person, "POST", table.path, json={**room, "text": text})
    found["talk afterwards"] = bytes_of(person, "GET", table.path)
    found["feed afterwards"] = bytes_of(person, "GET", "/me/events?talk=true")
    return found


def whispers(table: Table) -> None:
    """Let two players write private messages, and read them."""
    table.whisper(table.anna, 1, text="Let us attack Clara")
    table.whisper(table.bruno, 0, text="Yes")
    for person in (table.anna, table.bruno):
        person.ask("PUT", f"{table.path}/read", json={"upto": table.read(person)["next"]})


def gossip(table: Table) -> None:
    """Let two watchers talk in the spectators' room."""
    for text in ("Bruno has the courtesan, I think", "I think so too"):
        table.say(table.watcher, text, room="spectators")


def told_of(table: Table) -> set[str]:
    """Return the channels that show a message to those who may read it."""
    feed = "/me/events?talk=true"
    talk = {table.path, f"{table.path}?newest=true", "next", "read", "talk afterwards", "feed afterwards"}
    return {*talk, "/me/talk", feed, "/me/events/stream?talk=true", "/me/export"}


EACH_FORMAT = {*IN_EVERY_FORMAT, *(f"log of {form}" for form in FORMATS)}


@pytest.mark.parametrize("key", EDITIONS)
@pytest.mark.parametrize("who", ["clara", "watcher", "bruno"])
def test_a_private_message_leaves_no_trace_for_others(
    opened: Opening, games: Games, time: Time, app: Flask, log_server: Valkey, who: str, key: str
) -> None:
    """The reader of the message sees it on every channel, which shows that the comparison can fail.

    In a duel, Clara watches.
    """
    table = opened(edition=key, seats=min(3, NEWEST[key].most_seats))
    person: Person = getattr(table, who)
    receivers = receivers_of(games, person)
    table.say(table.anna, "Good morning")
    if len(table.anna.get(f"/games/{table.game}")["seated"]) == 3:
        table.whisper(table.anna, 2, text="Hello Clara")
    with limiting(app, log_server, {}):
        without, after = worlds(table, person, receivers, time, whispers)
    told = that_differ(without, after)
    assert told >= {*told_of(table), *EACH_FORMAT} if who == "bruno" else not told


def test_a_digest_says_nothing_of_messages(table: Table, games: Games) -> None:
    """Even a digest for the reader of a message does not mention it; the reader is notified in other ways."""
    turn = table.anna.get(f"/games/{table.game}")["position"]["turn"]
    receivers = receivers_of(games, table.players[turn])
    before = receivers.sent()
    table.whisper(table.players[(turn + 1) % 3], turn)
    after = receivers.sent()
    assert that_differ(before, after) == EACH_FORMAT
    assert before[DIGEST][0] == "One game is waiting for you:"


def worlds(
    table: Table, person: Person, receivers: Receivers, time: Time, act: Callable[[Table], object]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a person can get from a table in a world where the others do nothing, and in one where they act."""
    snapshot, now = dump(receivers.games), time.now
    without = everything(table, person, receivers)
    restore(receivers.games, snapshot)
    time.now = now
    act(table)
    return without, everything(table, person, receivers)


@pytest.mark.parametrize("key", EDITIONS)
@pytest.mark.parametrize("who", ["anna", "bruno", "reader"])
def test_what_spectators_write_leaves_no_trace_for_players(
    opened: Opening, person: Callable[..., Person], games: Games, time: Time, who: str, key: str
) -> None:
    """There is no trace as long as the game runs.

    Another spectator can read the messages, which shows that the comparison can fail. Nobody is sent them.
    """
    table = opened(edition=key, seats=min(3, NEWEST[key].most_seats))
    viewer: Person = person("Dora") if who == "reader" else getattr(table, who)
    table.say(table.anna, "Good morning")
    table.say(table.watcher, "Let us see", room="spectators")
    told = that_differ(*worlds(table, viewer, receivers_of(games, viewer), time, gossip))
    assert told >= {table.path, "next", "talk afterwards"} if who == "reader" else not told


def test_the_host_sees_no_message_that_nobody_has_reported(table: Table, host: Person) -> None:
    paths = [f"/games/{table.game}", "/games", "/players?name=", "/players/Anna", "/reports", "/audit"]
    before = [host.ask("GET", f"/admin{path}").data for path in paths]
    whispers(table)
    assert [host.ask("GET", f"/admin{path}").data for path in paths] == before


def test_a_private_message_wakes_nobody_else(table: Table, games: Games) -> None:
    """The announcement names no topic on which somebody else waits, such as the game or another reader."""
    with games.store._server._connect().nodes()[0].pubsub() as channel:
        channel.subscribe("condottiere:wakes")
        assert channel.get_message(timeout=5)
        table.whisper(table.anna, 1)
        message = channel.get_message(timeout=5)
        assert message is not None
        announced = message["data"].decode().split(" ")
    bruno, anna = table.bruno.id, table.anna.id
    assert announced == [f"talk-{table.game}", "0", anna, bruno, f"{table.game}:{anna}", f"{table.game}:{bruno}"]


@pytest.mark.parametrize("key", EDITIONS)
def test_who_was_blocked_cannot_tell(opened: Opening, games: Games, time: Time, key: str) -> None:
    table = opened(edition=key, seats=min(3, NEWEST[key].most_seats))
    receivers = receivers_of(games, table.bruno)
    snapshot, now = dump(games), time.now

    def seen() -> dict[str, Any]:
        table.say(table.bruno, "To all")
        time.now += 1  # The order of messages from the same millisecond is undefined.
        table.whisper(table.bruno, 0, text="To Anna")
        found = everything(table, table.bruno, receivers)
        assert table.anna.ask("PUT", f"/me/blocks/{table.clara.id}").status_code == 204
        return found

    without = seen()
    restore(games, snapshot)
    time.now = now
    assert table.anna.ask("PUT", f"/me/blocks/{table.bruno.id}").status_code == 204
    blocked = seen()

    def masked(found: dict[str, Any]) -> str:
        return re.sub(r"m[0-9a-z]{16}", "", repr(found))

    assert masked(blocked) == masked(without)
