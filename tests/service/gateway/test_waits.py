"""Clients that wait for events and hang up: their places become free again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from ..servers import Valkey, until
from .clients import Client, request
from .doors import Door, Duel, opened

Asked = dict[str, tuple[str, ...]]
"""Requests that wait: the request line and headers, by kind."""
LINES, SSE = "Accept: application/x-ndjson", "Accept: text/event-stream"
POLL_SECONDS = 50
"""Longer than the tests in this file take: a place that becomes free earlier was freed by hanging up."""


@pytest.fixture(scope="module")
def door(module_server: Valkey, output: Path) -> Iterator[Door]:
    """A web process with a single place for waiting requests."""
    with opened(module_server, output, MAX_WAITS="1") as door:
        yield door


WAITING = ("lines", "server-sent events", "stream", "feed", "stream of the feed", "poll", "poll of the feed")
"""Kinds of requests that stay open."""


@pytest.fixture(scope="module")
def asked(door: Door) -> Iterator[Asked]:
    """Requests that wait for a game in which nobody moves."""
    with closing(Duel(door.url)) as duel:
        person, view = duel.turn()
        events = f"GET /v1/games/{duel.game}/events?after={view['version']}"
        token = f"Authorization: Bearer {person.token}"
        yield {
            "lines": (events, LINES),
            "server-sent events": (events, SSE),
            "stream": (events.replace("/events", "/events/stream"),),
            "stream of the feed": ("GET /v1/me/events/stream?after=now", token),
            "feed": ("GET /v1/me/events?after=now", LINES, token),
            "look": ("GET /v1/me/events?after=now", token),
            "short poll": (f"{events}&wait=1",),
            "poll": (f"{events}&wait={POLL_SECONDS}", token),
            "poll of the feed": (f"GET /v1/me/events?after=now&wait={POLL_SECONDS}", token),
        }


@pytest.mark.parametrize("abruptly", [False, True], ids=["closes", "resets"])
@pytest.mark.parametrize("kind", WAITING)
def test_who_hangs_up_gives_the_place_back(door: Door, asked: Asked, kind: str, abruptly: bool) -> None:
    with waiting(door, asked, kind) as client:
        client.close(abruptly=abruptly)
        until(lambda: has_place(door, asked))


@contextmanager
def waiting(door: Door, asked: Asked, kind: str) -> Iterator[Client]:
    """Let a client wait in the only place; it tries again as long as the place is taken."""
    polls = "wait=" in asked[kind][0]
    while True:
        if polls:
            until(lambda: short_poll(door, asked) == 200)
        with door.client() as client:
            client.send(request(*asked[kind]))
            # The only sign of a waiting poll is that others are refused.
            until(lambda: client.has_answer() or (polls and short_poll(door, asked) == 503))
            if not client.has_answer() or client.head()[0] == 200:
                yield client
                return


def short_poll(door: Door, asked: Asked) -> int:
    """Return the status of a short poll.

    The poll frees its place before its response is sent, so it blocks nobody later.

    It follows a request for the feed, so that requests that were sent before it get the place first.
    """
    with door.client() as client:
        client.send(request(*asked["look"]) + request(*asked["short poll"]))
        assert client.answer().status == 200
        return client.answer().status


def has_place(door: Door, asked: Asked) -> bool:
    """Return whether another stream is admitted; the test hangs up on it immediately."""
    with door.client() as client:
        client.send(request(*asked["lines"]))
        status, _ = client.head()
        assert status in (200, 503)
        return status == 200


def test_a_poll_from_now_on_gets_what_happens_while_it_waits(door: Door, asked: Asked) -> None:
    """The poll starts when the request arrives, not when it is woken."""
    with closing(Duel(door.url)) as duel:
        person, view = duel.turn()
        poll = (f"GET /v1/me/events?after=now&wait={POLL_SECONDS}", f"Authorization: Bearer {person.token}")
        with waiting(door, {**asked, "poll from now on": poll}, "poll from now on") as client:
            duel.move()
            answer = client.answer()
            found = json.loads(answer.body)
        assert [(commit["game"], commit["seq"]) for commit in found["commits"]] == [(duel.game, view["version"] + 1)]
        assert person.get(f"/me/events?after={found['next']}")["commits"] == []
