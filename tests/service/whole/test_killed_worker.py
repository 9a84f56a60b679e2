"""The worker is killed again and again while bots play, and the game is the same as without kills."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from service.hints.fair import LINES

from ..commands import Command
from ..pids import alive
from ..servers import until
from .product import LONG_GAME, Person, Service, client, running, was_undisturbed

pytestmark = pytest.mark.slow

KILLS = 8
WARM = 3
SERVE_AGAIN_SOON = (
    "-c",
    "from service.processes import child; child.LONGEST_PAUSE = child.FIRST_PAUSE; "
    "from service.cli import main; main(['serve'])",
)
"""`condottiere serve` with the same short pause before each restart: its usual pauses would take minutes."""
ASK_SOON = """
from threading import Event
from service.processes import clock
from service.config import Config
from service.hints.queue import Hints
from service.store import Store

clock.GRACE = clock.PATIENCE = 1000
config = Config.from_env()
print("it ticks", flush=True)
clock.watch(Store(config), Hints(config), Event(), pause=0.1)
"""
"""A second clock, which is less patient than the service's own clock. Without it, every kill would cost some seconds.

It does not send hints until a worker has finished its first job. Otherwise there would always be one hint too many."""


@contextmanager
def impatient_clock(service: Service) -> Iterator[None]:
    """Run the clock within the block."""
    with Command(["-c", ASK_SOON], {"REDIS_URL": service.log_url, "QUEUE_URL": service.queue_url}) as command:
        command.line("it ticks")
        yield


def kill_a_worker_at_work(service: Service, person: Person, game_id: str, chance: Random) -> bool:
    """Kill the worker at a random instant after some moves; return whether a hint died with it.

    A worker needs a long time to finish its first job; until then, the next hint cannot be lost.
    """
    worker = service.pid_of("worker")
    version = person.get(f"/games/{game_id}")["version"]
    for _ in range(WARM):
        news = person.get(f"/games/{game_id}/events?after={version}&wait=25")
        assert news["commits"]
        version = news["next"]
    with client(service.queue_url) as queue:
        for _ in range(chance.randrange(150)):  # Some microseconds each.
            queue.ping()
        os.kill(worker, signal.SIGKILL)
        until(lambda: not alive(worker))
        return not queue.exists(*LINES)


def test_one_move_is_made_for_every_turn_however_often_the_worker_is_killed(folder: Path, chance: Random) -> None:
    """Kills are repeated until a job has died with the hint that it had taken; other kills come between jobs."""
    with running(folder, SERVE_AGAIN_SOON) as service, Person(service.url, "Caterina") as person:
        game = person.open_game(6, seed=LONG_GAME)
        with impatient_clock(service):
            kills: list[bool] = []
            while len(kills) < KILLS or not any(kills):
                kills.append(kill_a_worker_at_work(service, person, game["id"], chance))
            assert person.get(f"/games/{game['id']}")["status"] == "running"
            was_undisturbed(person, service.log_url, game["id"])
        assert service.said().count("worker was killed by SIGKILL") == len(kills)
