"""Workers in separate processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
import redis

from service.config import Config
from service.hints.queue import Hints
from service.processes.jobs import Worker, make_worker
from service.store import Store

from ..servers import Valkey
from ..store.games import config

Start = Callable[..., "subprocess.Popen[bytes]"]


def at_work(hints: Hints, who: str) -> bool:
    """Return whether a process has recently recorded that it is running."""
    beats = hints.beats()
    return beats is not None and beats[who] is not None


@pytest.fixture
def settings(log_server: Valkey) -> Config:
    """Log and queue on one empty server."""
    return config(log_server.url)


@pytest.fixture
def server(log_server: Valkey) -> Iterator[redis.Redis]:
    """A client of that server."""
    with log_server.client() as client:
        yield client


@pytest.fixture
def store(settings: Config) -> Iterator[Store]:
    """The store on that server."""
    made = Store(settings)
    yield made
    made.close()


@pytest.fixture
def hints(settings: Config) -> Iterator[Hints]:
    """The queues on that server. Their jobs leave a mark."""
    made = Hints(settings, job="tests.service.hints.marks.mark", thinking_job="tests.service.hints.marks.mark_thinking")
    yield made
    made.close()


@pytest.fixture
def worker(settings: Config) -> Iterator[Worker]:
    """The objects that a process's jobs use."""
    made = make_worker(settings)
    yield made
    made.games.store.close()
    made.hints.close()


@pytest.fixture
def anna(worker: Worker) -> str:
    """A player."""
    return worker.games.store.players.register("Anna")[0].id


@pytest.fixture
def start(log_server: Valkey) -> Iterator[Start]:
    """A function that starts `service.processes.<name>` in a separate process, which ends with the test."""
    started = []

    def run(name: str, url: str = log_server.url, queue_url: str | None = None) -> subprocess.Popen[bytes]:
        code = f"from service.config import Config; from service.processes.{name} import run; run(Config.from_env())"
        env = {**os.environ, "REDIS_URL": url, "QUEUE_URL": queue_url or url}
        started.append(subprocess.Popen([sys.executable, "-c", code], env=env))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.wait()
