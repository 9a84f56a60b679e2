"""A worker that loses its queue in any way: it stops when it is asked to, works again later, and logs two lines."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import redis

from service.config import Config
from service.hints.fair import Hint
from service.hints.queue import OLD_QUEUE, QUEUE, Hints

from ..commands import Command
from ..servers import Valkey, until
from ..store.games import GAME, NOW
from .test_worker import come

pytestmark = pytest.mark.slow

LOST, BACK = "the worker cannot reach the queue server: ", "the worker reaches the queue server again"
WORK = "from service.config import Config; from service.processes.worker import run; run(Config.from_env())"

Mend = Callable[[], object]


@pytest.fixture
def queue() -> Iterator[Valkey]:
    """A server only for the queue, with a user who always has all permissions."""
    with TemporaryDirectory(prefix="valkey-") as folder:
        server = Valkey(Path(folder))
        with server.client() as client:
            client.execute_command("ACL SETUSER admin on nopass ~* &* +@all")
        yield server
        server.resume()
        server.stop()


def admin(queue: Valkey) -> redis.Redis:
    """Return a client that is not refused when others are."""
    return redis.Redis.from_url(queue.url, username="admin", password="", protocol=2)


def gone(queue: Valkey) -> Mend:
    """End the server."""
    queue.kill()
    return queue.start


def stopped(queue: Valkey) -> Mend:
    """Let the server accept connections but never respond."""
    queue.suspend()
    return queue.resume


def refuses(queue: Valkey, *command: str, mend: tuple[str, ...]) -> Mend:
    """Let the server refuse commands, by means of a command; existing connections are closed."""
    with admin(queue) as client:
        client.execute_command(*command)
        client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")

    def undo() -> None:
        with admin(queue) as client:
            client.execute_command(*mend)

    return undo


OUTAGES: dict[str, Callable[[Valkey], Mend]] = {
    "gone": gone,
    "stopped": stopped,
    "read-only": lambda queue: refuses(queue, "REPLICAOF", "127.0.0.1", "1", mend=("REPLICAOF", "NO", "ONE")),
    "a password": lambda queue: refuses(
        queue, "ACL", "SETUSER", "default", "resetpass", ">secret", mend=("ACL", "SETUSER", "default", "nopass")
    ),
    "no permission": lambda queue: refuses(
        queue, "ACL", "SETUSER", "default", "-@blocking", mend=("ACL", "SETUSER", "default", "+@all")
    ),
}
"""Ways to lose a queue; each returns a function that ends the outage."""


def work(log: Valkey, queue: Valkey) -> Command:
    """Start a worker."""
    return Command(["-c", WORK], {"REDIS_URL": log.url, "QUEUE_URL": queue.url})


def waiting(queue: Valkey, workers: int) -> bool:
    """Return whether this number of workers wait for a hint."""
    with admin(queue) as client:
        return bool(client.info("clients")["blocked_clients"] == workers)


def send(log: Valkey, queue: Valkey, job: str) -> bool:
    """Send a hint."""
    hints = Hints(Config(redis_url=log.url, queue_url=queue.url), job=f"tests.service.hints.marks.{job}")
    try:
        return hints.send(Hint(GAME, NOW))
    finally:
        hints.close()


@pytest.mark.parametrize("lose", OUTAGES.values(), ids=OUTAGES)
def test_a_worker_ends_while_its_queue_is_lost_and_works_when_it_is_back(
    log_server: Valkey, queue: Valkey, lose: Callable[[Valkey], Mend]
) -> None:
    """Either signal ends it. Only the loss and its end are logged."""
    with work(log_server, queue) as first, work(log_server, queue) as second, work(log_server, queue) as third:
        until(lambda: waiting(queue, 3))
        mend = lose(queue)
        for worker in (first, second, third):
            worker.line(LOST)
        assert first.end(signal.SIGTERM) == (0, "")
        assert second.end(signal.SIGINT) == (0, "")
        mend()
        third.line(BACK)
        with log_server.client() as server:
            until(lambda: send(log_server, queue, "mark") and server.blpop(["marks"], timeout=2) is not None)
        assert third.end() == (0, "")


@pytest.mark.parametrize("key", [f"rq:queue:{QUEUE}", f"rq:queue:{OLD_QUEUE}", f"rq:wip:{QUEUE}", "rq:workers"])
def test_a_key_of_another_type_stops_no_bot(log_server: Valkey, queue: Valkey, key: str) -> None:
    """Nobody has to repair it: the worker deletes the key, because the queue never has the only copy of anything."""
    with admin(queue) as client, log_server.client() as server:
        client.set(key, "x")
        with work(log_server, queue) as worker:
            for _ in range(2):
                until(lambda: send(log_server, queue, "mark") and server.blpop(["marks"], timeout=1) is not None)
                client.delete(key)
                client.set(key, "x")
            assert worker.end()[0] == 0


def test_a_worker_that_never_reached_its_queue_ends(log_server: Valkey, queue: Valkey) -> None:
    """The signal comes while the worker waits for its first response."""
    queue.suspend()
    with work(log_server, queue) as worker:
        worker.line(LOST)
        assert worker.end() == (0, "")


@pytest.mark.parametrize("lose", [gone, stopped])
def test_a_job_is_finished_though_the_queue_is_lost_meanwhile(
    log_server: Valkey, queue: Valkey, lose: Callable[[Valkey], Mend]
) -> None:
    """The worker ends after the job, without waiting for the queue."""
    with work(log_server, queue) as worker, log_server.client() as server:
        until(lambda: waiting(queue, 1))
        send(log_server, queue, "begin_and_wait")
        come(server, "begun")
        lose(queue)
        os.kill(worker.pid, signal.SIGTERM)
        server.rpush("word", "go on")
        assert come(server, "marks") == GAME
        assert worker.wait() == (0, "")


def test_a_second_signal_does_not_wait_for_the_job(log_server: Valkey, queue: Valkey) -> None:
    """An exception is a signal that comes so soon that it may be the same one, sent twice.

    The hint is sent again later.
    """
    with work(log_server, queue) as worker, log_server.client() as server:
        until(lambda: waiting(queue, 1))
        send(log_server, queue, "begin_and_wait")
        come(server, "begun")
        until(lambda: not worker.signalled(signal.SIGTERM))
        assert worker.wait() == (0, "")
        assert server.llen("marks") == 0


def test_what_a_job_fails_with_is_logged_once(log_server: Valkey, queue: Valkey) -> None:
    """The log contains the traceback."""
    with work(log_server, queue) as worker:
        until(lambda: waiting(queue, 1))
        send(log_server, queue, "fail")
        worker.line("job .*: exception raised while executing")
        worker.line("RuntimeError: a bot that cannot play")
        until(lambda: waiting(queue, 1))
        status, rest = worker.end()
        assert (status, rest.count("Traceback"), LOST in rest) == (0, 1, False)


def test_a_job_that_the_queue_refuses_is_logged_in_one_line(log_server: Valkey, queue: Valkey) -> None:
    """The line covers any number of refused jobs. Another line is logged when a job succeeds. The worker continues."""
    for _ in range(3):
        send(log_server, queue, "mark")
    mend = refuses(queue, "ACL", "SETUSER", "default", "-eval", mend=("ACL", "SETUSER", "default", "+eval"))
    with work(log_server, queue) as worker, admin(queue) as client:
        until(lambda: client.zcard(f"rq:failed:{QUEUE}") == 3)
        mend()
        send(log_server, queue, "mark")
        worker.line("the worker cannot run jobs: the queue server refuses commands: .*eval")
        worker.line("the worker runs jobs again")
        assert worker.end() == (0, "")
