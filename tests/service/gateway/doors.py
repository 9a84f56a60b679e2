"""Web processes for tests, and people who use them while other clients misbehave."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import requests

from service.processes.leash import with_leash

from ..servers import Valkey, free_port, until
from ..whole.product import LONG, Json, Person, descendants
from .clients import Client

POINTS = 15
"""The points of a match."""
PROGRAM = """
from service import cli
from service.gateway import connection
for name, seconds in {patience}.items():
    assert hasattr(connection, name)
    setattr(connection, name, seconds)
cli.main()
"""
"""Starts a web process with different timeouts, in seconds, by their names in `service.gateway.connection`."""


class Door:
    """A running web process."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        """Store the port on which it listens."""
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._process = process

    def client(self) -> Client:
        """Connect to it."""
        return Client(self.port)

    def open_files(self) -> int:
        """Return how many file descriptors it and the processes that it has started have open."""
        pids = [self._process.pid, *descendants(self._process.pid)]
        return sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in pids)

    def ask_to_stop(self) -> None:
        """Send SIGTERM."""
        self._process.terminate()

    def wait(self) -> int:
        """Wait until it has ended, and return its exit status."""
        return self._process.wait(timeout=LONG)


@contextmanager
def opened(
    server: Valkey, output: Path, patience: Mapping[str, float] | None = None, **settings: str
) -> Iterator[Door]:
    """Run a web process within the block, once it responds; it must log no traceback."""
    port = free_port()
    env = {**os.environ, "REDIS_URL": server.url, "QUEUE_URL": "", "PORT": str(port), "WEB_WORKERS": "1", **settings}
    argv = ["-c", PROGRAM.format(patience=dict(patience)), "web"] if patience else ["-m", "service", "web"]
    with output.open("wb") as log:
        process = subprocess.Popen(with_leash([sys.executable, *argv]), env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        until(lambda: _answers(port, process))
        yield Door(port, process)
    finally:
        process.terminate()
        process.wait()
    assert "Traceback" not in output.read_text()


def _answers(port: int, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, "the web process has ended"
    try:
        return requests.get(f"http://127.0.0.1:{port}/v1/bots", timeout=LONG).ok
    except requests.ConnectionError:
        return False


class Duel:
    """Two people in a running match that takes many hundreds of moves."""

    def __init__(self, url: str) -> None:
        """Register both people, and begin the match."""
        self.people = [Person(url, f"{name}-{secrets.token_hex(4)}") for name in ("Anna", "Bruno")]
        first, second = self.people
        self.game = first.open_game(0, edition="ffg-2007", options={"points": POINTS}, seats=2)["id"]
        second.post(f"/games/{self.game}/join", {})

    def move(self) -> None:
        """Make the next move, which must be accepted."""
        person, view = self.turn()
        assert person.move(view, view["moves"][0], str(view["version"])).status_code == 201

    def turn(self) -> tuple[Person, Json]:
        """Return the person whose turn it is, with that person's view."""
        views = [(person, person.get(f"/games/{self.game}")) for person in self.people]
        return next((person, view) for person, view in views if view["moves"])

    def close(self) -> None:
        """Close both people's connections."""
        for person in self.people:
            person.session.close()


def serves_others(door: Door) -> None:
    """Fail unless a newcomer gets a response and a move is accepted, over new connections."""
    assert requests.get(f"{door.url}/v1/bots", timeout=LONG).ok
    with closing(Duel(door.url)) as playing:
        playing.move()
