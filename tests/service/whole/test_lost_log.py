"""The log server is lost while a game runs: requests are refused, and nothing is done twice or lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from ..pids import alive
from ..servers import until
from .product import Json, Person, Service, hold_together, running, was_undisturbed

pytestmark = pytest.mark.slow


@contextmanager
def no_log_server(service: Service) -> Iterator[None]:
    """Kill the log server, and prevent the supervisor from restarting it within the block."""
    killed = service.pid_of("log")
    os.kill(service.pid, signal.SIGSTOP)
    try:
        os.kill(killed, signal.SIGKILL)
        until(lambda: not alive(killed))
        yield
    finally:
        os.kill(service.pid, signal.SIGCONT)
    until(lambda: service.pid_of("log") != killed)


def is_unavailable(answer: requests.Response) -> None:
    """Fail unless a response says that the store is unavailable, and when to try again."""
    assert (answer.status_code, answer.headers["Content-Type"]) == (503, "application/problem+json")
    assert int(answer.headers["Retry-After"]) > 0
    problem = answer.json()
    assert (problem["code"], problem["status"]) == ("store-unavailable", 503)


def everything_is_unavailable(person: Person, game: Json, move: Json) -> None:
    """Send various requests while the log server is away."""
    is_unavailable(person.move(game, move, "once"))
    is_unavailable(person.ask("GET", f"/games/{game['id']}"))
    is_unavailable(person.ask("POST", "/players", {"name": "Bianca"}))
    health = person.ask("GET", "/health")
    assert (health.status_code, health.json()["parts"]["log"]) == (503, False)


def the_move_is_made_once(person: Person, game: Json, move: Json) -> None:
    """Repeat a move with its key."""
    first, again = (person.move(game, move, "once") for _ in range(2))
    assert (first.status_code, again.status_code, again.json()) == (201, 201, first.json())
    assert (first.headers.get("Idempotent-Replayed"), again.headers["Idempotent-Replayed"]) == (None, "true")
    commits = hold_together(person, game["id"])
    assert [commit["by"] for commit in commits].count(person.id) == 2


def test_requests_are_told_that_the_store_is_away_and_a_repeated_move_is_made_once(folder: Path) -> None:
    """The bots of another game wait, and then continue."""
    with running(folder) as service, Person(service.url, "Caterina") as person:
        game = person.my_turn(person.open_game(2, seats=3)["id"])
        move = game["moves"][0]
        alone = person.open_game(5)["id"]
        with no_log_server(service):
            everything_is_unavailable(person, game, move)
        service.wait_until_up()
        the_move_is_made_once(person, game, move)
        was_undisturbed(person, service.log_url, alone)
