"""Streams of a whole service: if processes die, nothing is lost or sent twice; many streams disturb nobody."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest
import requests

from ..pids import alive
from ..servers import free_port, until
from ..streams import LINES, SSE, Json, Sent, read, seen
from .product import LONG, LONG_GAME, LOST, Person, running

pytestmark = pytest.mark.slow

STREAMS = 200
MATCH = 15
"""The points of a match that takes about 1,500 commits."""


@contextmanager
def opened(person: Person, path: str, media_type: str, last: str | None = None) -> Iterator[requests.Response]:
    """Request a stream after an event."""
    headers = {"Accept": media_type} | ({} if last is None else {"Last-Event-ID": last})
    with person.session.get(f"{person._url}/v1{path}", headers=headers, stream=True, timeout=LONG) as answer:
        yield answer


def follow(person: Person, path: str, media_type: str) -> Iterator[Sent]:
    """Yield what a stream sends; whenever it is interrupted, resume it after the last event, until it is complete."""
    last: str | None = None
    while True:
        with contextlib.suppress(*LOST), opened(person, path, media_type, last) as answer:
            if answer.status_code == 204:
                return
            assert answer.status_code in (200, 503), answer.text
            for sent in read(media_type, answer.iter_content(None)) if answer.ok else ():
                if sent.type == "message":
                    last = seen(media_type, sent)
                yield sent


def kill(pid: int) -> None:
    """Kill a process."""
    os.kill(pid, signal.SIGKILL)
    until(lambda: not alive(pid))


def test_who_comes_back_misses_nothing_and_is_told_nothing_twice(folder: Path, chance: Random) -> None:
    """Web, log server and then everything are killed while bots play."""
    port = str(free_port())
    with ExitStack() as stack, ThreadPoolExecutor() as threads:
        service = stack.enter_context(running(folder, PORT=port))
        person = stack.enter_context(Person(service.url, "Caterina"))
        game = person.open_game(6, edition="ffg-2007", options={"points": MATCH}, seed=LONG_GAME)["id"]
        told: list[Sent] = []
        threads.submit(lambda: told.extend(follow(person, f"/games/{game}/events/stream", SSE)))

        def follow_all() -> list[Json]:
            found = []
            for sent in follow(person, "/me/events/stream", LINES):
                found.append(sent.data)
                if sent.data["events"][-1]["type"] == "match-ended":
                    break
            return found

        all_mine = threads.submit(follow_all)
        length = 0
        for part in ("web", "log", "everything"):
            # On a fast machine the match may be over before the last kill; even then, the streams must resume.
            until(lambda so_far=length: _look(person, game)["version"] >= so_far or _is_over(person, game), LONG)
            if part == "everything":
                service.kill_everything()
                service = stack.enter_context(running(folder, PORT=port))
            else:
                kill(service.pid_of(part))
                service.wait_until_up()
            length = _look(person, game)["version"] + chance.randrange(5, 40)
        feed = all_mine.result(LONG)
        threads.shutdown()
        commits = person.get(f"/games/{game}/events")["commits"]
        numbers = list(range(1, len(commits) + 1))
        assert [sent.data["seq"] for sent in told if sent.type == "message"] == numbers
        assert [(commit["game"], commit["seq"]) for commit in feed] == [(game, number) for number in numbers]


def _look(person: Person, game: str) -> Json:
    """Return a game, as soon as the service shows it."""
    while True:
        with contextlib.suppress(*LOST):
            answer = person.ask("GET", f"/games/{game}")
            if answer.ok:
                found: Json = answer.json()
                return found


def _is_over(person: Person, game: str) -> bool:
    return bool(_look(person, game)["status"] == "finished")


def test_many_streams_disturb_nobody_and_all_of_them_are_told(folder: Path) -> None:
    """The streams end together with the service."""
    with running(folder) as service, ExitStack() as stack:
        person = stack.enter_context(Person(service.url, "Anna"))
        game = person.open_game(0, seats=3)["id"]
        paths = [f"/games/{game}/events?after=1", "/me/events?after=now"]
        answers = [
            stack.enter_context(opened(person, paths[number % 2], (LINES, SSE)[number // 2 % 2]))
            for number in range(STREAMS)
        ]
        streams = [
            read(answer.headers["Content-Type"].partition(";")[0], answer.iter_content(None)) for answer in answers
        ]
        for path in ("/editions", "/games", f"/games/{game}", "/health", "/ready", "/me"):
            person.get(path)
        assert person.ask("POST", f"/games/{game}/leave").status_code == 200
        assert {next(stream).data["events"][0]["type"] for stream in streams} == {"table-cancelled"}
        assert service.stop() == 0
        for stream in streams:
            assert {sent.type for sent in stream} <= {"end"}
