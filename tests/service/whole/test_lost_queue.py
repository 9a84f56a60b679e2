"""The queue is lost while games run, once its data and once its server: this costs only a few seconds."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from random import Random

import pytest

from service.hints.queue import QUEUE

from ..servers import until
from .product import LONG_GAME, Person, Service, client, running, was_undisturbed

pytestmark = pytest.mark.slow

GAMES = 2


def wipe(service: Service, games: list[str], person: Person, chance: Random) -> None:
    """Empty the queue server at random instants, until hints are lost and nobody plays any more."""
    with client(service.queue_url) as queue:
        while True:
            assert any(person.get(f"/games/{game}")["status"] == "running" for game in games)
            for _ in range(chance.randrange(150)):
                queue.ping()
            with queue.pipeline(transaction=True) as pipe:
                lost = pipe.llen(f"rq:queue:{QUEUE}").flushall().execute()[0]
            if lost:
                return


def test_games_go_on_when_the_queue_is_lost(folder: Path, chance: Random) -> None:
    """The clock sends the lost hints again, and no bot moves twice."""
    with running(folder) as service, Person(service.url, "Caterina") as person:
        games = [person.open_game(6, seed=LONG_GAME)["id"] for _ in range(GAMES)]
        wipe(service, games, person, chance)
        versions = [person.get(f"/games/{game}")["version"] for game in games]
        for game, version in zip(games, versions, strict=True):
            person.get(f"/games/{game}/events?after={version}&wait=25")
        killed = service.pid_of("queue")
        assert any(person.get(f"/games/{game}")["status"] == "running" for game in games)
        os.kill(killed, signal.SIGKILL)
        until(lambda: service.pid_of("queue") != killed)
        for game in games:
            was_undisturbed(person, service.log_url, game)
        service.wait_until_up()
        assert "queue was killed by SIGKILL" in service.said()
