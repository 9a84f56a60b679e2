"""Requests for a stream in each format, and functions that read it as it arrives."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice, product

import pytest
from werkzeug.test import TestResponse

from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.views import feeds

from ...streams import LINES, SSE, Json, Sent, read
from ..answers import described_schema
from ..conftest import Person

STREAMS = (LINES, SSE)
ADDRESSES = ("/events", "/events/stream")
"""The path endings at which a stream is available."""
BOTS = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]
ALIVE = {LINES: b"\n", SSE: b":\n\n"}


_address = "/events"


@pytest.fixture(params=product(STREAMS, ADDRESSES), ids="{0[0]} at {0[1]}".format)
def media_type(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each format of a stream, requested at each of its addresses."""
    value: str
    value, address = request.param
    monkeypatch.setattr(sys.modules[__name__], "_address", address)
    return value


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heartbeats that are sent so often that tests need not wait for them."""
    monkeypatch.setattr(feeds, "HEARTBEAT", 0.01)


def ask(person: Person, path: str, media_type: str, method: str = "GET", last: str | None = None) -> TestResponse:
    """Request a stream from after the last seen event; reading the response's body reads the stream."""
    path = path.replace("/events", _address)
    headers = {**person.headers, "Accept": media_type} | ({} if last is None else {"Last-Event-ID": last})
    return person._client.application.test_client().open(f"/v1{path}", method=method, headers=headers)


def stream(person: Person, path: str, media_type: str, last: str | None = None) -> Iterator[Sent]:
    """Read a stream as it arrives."""
    answer = ask(person, path, media_type, last=last)
    assert (answer.status_code, answer.mimetype) == (200, media_type), answer.get_data(as_text=True)
    for sent in read(media_type, answer.iter_encoded()):
        if sent.type == "message":
            _described("FeedCommit" if "game" in sent.data else "Commit", sent.data)
        yield sent
    answer.close()


def _described(name: str, commit: Json) -> None:
    assert described_schema(name).errors(commit) == []


def commits(stream: Iterator[Sent], count: int) -> list[Json]:
    """Return the next `count` commits of a stream."""
    return [sent.data for sent in islice(stream, count)]


def play_on(anna: Person, games: Games, game: Json) -> Json:
    """Make one move, Anna's or a bot's, and return the game after it."""
    if game["moves"]:
        return anna.move(game, game["moves"][0])
    assert play_bot_turn(games, game["id"])
    return anna.get(f"/games/{game['id']}")


def play_to_the_end(anna: Person, games: Games, game: Json) -> Json:
    """Make moves until the game is over."""
    while game["status"] == "running":
        game = play_on(anna, games, game)
    return game
