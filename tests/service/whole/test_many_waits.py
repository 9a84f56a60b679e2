"""Many clients wait for events in one web process: no other client is delayed, and no waiting client is forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import requests

from service.store.waits import RESERVED

from .product import LONG, Json, Person, Service, running

pytestmark = pytest.mark.slow

WAITS = 100
"""The number of places for callers without a token."""
PLACES = WAITS * RESERVED // (RESERVED - 1)
WAIT = 50


def ask_and_wait(service: Service, game: Json) -> requests.Response:
    """Request the events after this view, with the longest wait."""
    return requests.get(_events(service, game, WAIT), timeout=LONG)


def take_a_place(service: Service, game: Json) -> requests.Response:
    """Send a request until the service lets it wait, and return the response."""
    while (answer := ask_and_wait(service, game)).status_code == 503:
        pass
    return answer


@contextmanager
def waiting(service: Service, game: Json) -> Iterator[list[Future[requests.Response]]]:
    """Let clients occupy all the places within the block."""
    with ThreadPoolExecutor(WAITS) as threads:
        waits = [threads.submit(take_a_place, service, game) for _ in range(WAITS)]
        while (answer := requests.get(_events(service, game, 1), timeout=LONG)).ok:
            pass
        assert (answer.status_code, answer.headers["Content-Type"]) == (503, "application/problem+json")
        assert answer.json()["code"] == "too-many-waits"
        assert int(answer.headers["Retry-After"]) > 0
        yield waits


def _events(service: Service, game: Json, seconds: int) -> str:
    return f"{service.url}/v1/games/{game['id']}/events?after={game['version']}&wait={seconds}"


def begin_a_game(people: Sequence[Person]) -> tuple[Person, Json]:
    """Let people begin a game without bots; return the person whose turn it is, and the view."""
    game = people[0].open_game(0, seats=len(people))["id"]
    for person in people[1:]:
        person.post(f"/games/{game}/join", {})
    for person in people:
        view = person.get(f"/games/{game}")
        if view["moves"]:
            return person, view
    raise AssertionError("it is nobody's turn")


def test_many_wait_and_delay_nobody(folder: Path) -> None:
    """The same move wakes all of them. When the service ends, all get a response."""
    with running(folder, MAX_WAITS=str(PLACES), WEB_WORKERS="1") as service, ExitStack() as stack:
        people = [stack.enter_context(Person(service.url, name)) for name in ("Anna", "Bruno", "Caterina")]
        mover, game = begin_a_game(people)
        with waiting(service, game) as waits:
            for path in ("/editions", "/games?status=running", f"/games/{game['id']}", "/health", "/ready", "/me"):
                mover.get(path)
            assert mover.get(f"/games/{game['id']}/events?after=0&wait=9")["next"] == game["version"]
            stack.enter_context(Person(service.url, "Dorotea"))
            assert not any(wait.done() for wait in waits)
            moved = mover.move(game, game["moves"][0], "a")
            assert moved.status_code == 201
            news = [wait.result(LONG).json() for wait in waits]
        assert news == [news[0]] * WAITS
        assert [commit["seq"] for commit in news[0]["commits"]] == [game["version"] + 1]
        game = moved.json()
        with waiting(service, game) as waits:
            assert not any(wait.done() for wait in waits)
            assert service.stop() == 0
            answers = [wait.result(LONG) for wait in waits]
        assert {answer.status_code for answer in answers} == {200}
        assert {answer.text for answer in answers} == {f'{{"commits":[],"next":{game["version"]}}}'}
