"""The two bots of `examples/` play each other only over webhooks, while processes are killed again and again."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
import requests

from service.processes.leash import with_leash
from service.webhooks.signing import new_secret

from ..pids import alive
from ..servers import free_port, until
from .consumer import Consumer, Json
from .product import LONG, SERVE, Person, Service, running
from .test_killed_worker import SERVE_AGAIN_SOON

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[3] / "examples"
KILLED = ("deliver", "worker", "clock", "web")
WATCHED = ["table.changed", "game.started", "game.moved", "game.ended"]
LOOPBACK = {"WEBHOOK_NETWORKS": "127.0.0.0/8"}


@contextmanager
def bot(argv: list[str], port: int, secret: str) -> Iterator[str]:
    """Run one of the examples within the block, once it listens; yield its address."""
    env = {**os.environ, "WEBHOOK_SECRET": secret, "HOST": "127.0.0.1", "PORT": str(port)}
    process = subprocess.Popen(with_leash(argv), env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: _listens(port))
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.kill()
        process.wait()


@contextmanager
def bots(secret: str) -> Iterator[tuple[str, str]]:
    """Run both examples within the block."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run the second bot")
    ports = free_port(), free_port()
    flask = [sys.executable, "-m", "flask", "--app", str(EXAMPLES / "webhook_bot.py"), "run", "--port", str(ports[0])]
    with (
        bot(flask, ports[0], secret) as first,
        bot([node, str(EXAMPLES / "webhook-bot.mjs")], ports[1], secret) as second,
    ):
        yield first, second


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def subscribed(person: Person, url: str, secret: str, **asked: object) -> None:
    """Create a webhook, and wait until its endpoint is verified."""
    made = person.post("/webhooks", {"url": url, "secret": secret, **asked})
    until(lambda: person.get(f"/webhooks/{made['id']}")["verified_at"] is not None)


def play(
    service: Service, consumer: Consumer, secret: str, chance: Random | None
) -> tuple[Json, list[Json], list[str]]:
    """Let the bots play a game; return it, its commits, and which processes were killed (none without `chance`)."""
    with bots(secret) as urls, Person(service.url, "Anna") as anna, Person(service.url, "Bruno") as bruno:
        for person, url, name in zip((anna, bruno), urls, ("anna", "bruno"), strict=True):
            subscribed(person, url, secret)
            subscribed(person, f"{consumer.url}/{name}", secret, events=WATCHED)
        game = anna.open_game(bots=1, bot="steady", seats=3)
        bruno.post(f"/games/{game['id']}/join")
        killed: list[str] = []
        for name, pause in deaths(chance) if chance else ():
            if consumer.wait("/anna", pause):
                break
            kill(service, name)
            killed.append(name)
        assert consumer.wait("/anna", 1_000)
        consumer.wait("/bruno", 1_000)
        until(service.is_up)
        return (
            anna.get(f"/games/{game['id']}"),
            anna.get(f"/games/{game['id']}/events?after=0")["commits"],
            killed,
        )


def deaths(chance: Random) -> Iterator[tuple[str, int]]:
    """Yield what to kill, and after how many commits: first each process, early as games may be short; then any."""
    for name in chance.sample(KILLED, len(KILLED)):
        yield name, chance.randrange(1, 4)
    while True:
        yield chance.choice(KILLED), chance.randrange(10, 40)


def kill(service: Service, name: str) -> None:
    """Kill a process of the service without warning."""
    pid = service.pid_of(name)
    os.kill(pid, signal.SIGKILL)
    until(lambda: not alive(pid))


def was_told_everything_in_order(consumer: Consumer, path: str, commits: list[Json], first: int) -> None:
    """Fail unless a player got every commit since the first, in order, and nothing else."""
    events = consumer.events(path)
    assert [event["data"]["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert events.pop()["type"] == "game.ended"
    told = [(event["data"]["version"], [one["type"] for one in event["data"]["commit"]["events"]]) for event in events]
    assert told == [(commit["seq"], [one["type"] for one in commit["events"]]) for commit in commits[first - 1 :]]


@pytest.mark.timeout(240)
def test_the_example_bots_play_on_however_often_anything_is_killed(folder: Path, chance: Random) -> None:
    secret = new_secret()
    with Consumer(secret) as consumer, running(folder, SERVE_AGAIN_SOON, **LOOPBACK) as service:
        game, commits, killed = play(service, consumer, secret, chance)
    assert game["status"] == "finished"
    assert set(killed) == set(KILLED)
    was_told_everything_in_order(consumer, "/anna", commits, 1)
    was_told_everything_in_order(consumer, "/bruno", commits, 2)


def test_the_example_bots_take_nothing_from_strangers() -> None:
    """They also keep running, although strangers may send anything."""
    with bots(new_secret()) as urls:
        for url in urls:
            for headers in ({}, {"webhook-id": "1", "webhook-timestamp": "1", "webhook-signature": "v1,bm90aGluZw=="}):
                for _ in range(2):
                    assert not requests.post(url, data=b"garbage", headers=headers, timeout=LONG).ok


def test_the_example_bots_finish_a_game(folder: Path) -> None:
    """Nothing is killed, so nothing may be delivered twice."""
    secret = new_secret()
    with Consumer(secret) as consumer, running(folder, SERVE, **LOOPBACK) as service:
        game, commits, _ = play(service, consumer, secret, None)
        assert "Webhooks may use the private networks 127.0.0.0/8 (WEBHOOK_NETWORKS)" in service.said()
    assert game["result"]["winners"]
    was_told_everything_in_order(consumer, "/anna", commits, 1)
    assert consumer.repeated == 0
