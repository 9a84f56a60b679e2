"""The worker: a real process, killed and stopped as in production."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import redis

from service.config import Config
from service.hints.fair import Hint
from service.hints.queue import Hints
from service.processes.clock import watch
from service.store import Store

from ..servers import Valkey, until
from ..store.games import GAME, NOW, OTHER, append, config, make_due
from .conftest import Start, at_work

LONG = 30
"""Seconds; nothing here takes this long."""


@contextmanager
def clock(store: Store, hints: Hints) -> Iterator[None]:
    """Run the clock within the block."""
    stop = threading.Event()
    thread = threading.Thread(target=watch, args=(store, hints, stop))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=LONG)


def come(server: redis.Redis, name: str) -> str:
    """Wait for a mark, and return the game that left it."""
    mark = server.blpop([name], timeout=LONG)
    assert mark is not None, f"no mark was left in {name}"
    return str(mark[1].decode())


def test_a_hint_becomes_a_job(start: Start, hints: Hints, server: redis.Redis) -> None:
    start("worker")
    for game in (GAME, OTHER):
        hints.send(Hint(game, NOW))
    assert [come(server, "marks"), come(server, "marks")] == [GAME, OTHER]
    until(lambda: at_work(hints, "worker"))


def test_a_job_that_fails_does_not_end_the_worker(start: Start, settings: Config, server: redis.Redis) -> None:
    start("worker")
    for job, game in (("fail", GAME), ("mark", OTHER)):
        Hints(settings, job=f"tests.service.hints.marks.{job}").send(Hint(game, NOW))
    assert [come(server, "marks"), come(server, "marks")] == [GAME, OTHER]


def test_an_idle_worker_ends_when_it_is_told_to(start: Start, hints: Hints) -> None:
    worker = start("worker")
    until(lambda: at_work(hints, "worker"))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=LONG) == 0


def test_a_busy_worker_ends_its_job_first(start: Start, settings: Config, server: redis.Redis) -> None:
    worker = start("worker")
    Hints(settings, job="tests.service.hints.marks.begin_and_wait").send(Hint(GAME, NOW))
    come(server, "begun")
    worker.send_signal(signal.SIGTERM)
    server.rpush("word", "go on")
    assert come(server, "marks") == GAME
    assert worker.wait(timeout=LONG) == 0


def test_a_job_that_died_with_its_worker_is_hinted_at_again(
    start: Start, settings: Config, store: Store, server: redis.Redis
) -> None:
    hints = Hints(settings, job="tests.service.hints.marks.begin_and_wait")
    append(store, GAME, 0, due=True)
    make_due(store, GAME, 0)
    first = start("worker")
    hints.send(Hint(GAME, NOW))
    assert come(server, "begun") == GAME
    first.kill()
    first.wait()
    with clock(store, hints):
        start("worker")
        assert come(server, "begun") == GAME
        server.rpush("word", "go on")
        assert come(server, "marks") == GAME
        append(store, GAME, 1)


def test_a_worker_waits_for_its_queue(start: Start) -> None:
    """It waits until the queue is there, or until it is stopped."""
    with TemporaryDirectory(prefix="valkey-") as folder:
        own = Valkey(Path(folder))
        own.kill()
        first, second = start("worker", own.url), start("worker", own.url)
        until(lambda: _takes(first, signal.SIGTERM))
        first.send_signal(signal.SIGTERM)
        assert first.wait(timeout=LONG) == 0
        own.start()
        with own.client() as server:
            until(lambda: server.info("clients")["blocked_clients"] == 1)
        second.send_signal(signal.SIGTERM)
        assert second.wait(timeout=LONG) == 0
        own.stop()


def _takes(process: subprocess.Popen[bytes], number: int) -> bool:
    """Return whether a process blocks a signal in order to handle it itself."""
    (blocked,) = re.findall(r"SigBlk:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text())
    return bool(int(blocked, 16) >> (number - 1) & 1)


def test_a_worker_outlives_its_queue(start: Start) -> None:
    with TemporaryDirectory(prefix="valkey-") as folder:
        own = Valkey(Path(folder))
        hints = Hints(config(own.url), job="tests.service.hints.marks.mark")
        worker = start("worker", own.url)
        with own.client() as server:
            until(lambda: server.info("clients")["blocked_clients"] == 1)
        own.kill()
        own.start()
        with own.client() as server:
            # A hint may be lost together with the connection over which the worker was taking it, so it is sent again.
            until(lambda: hints.send(Hint(GAME, NOW)) and server.blpop(["marks"], timeout=2) is not None, LONG)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(timeout=LONG) == 0
        hints.close()
        own.stop()
