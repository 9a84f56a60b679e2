"""The worker: takes hints from the queue, one at a time, and lets bots act."""

from __future__ import annotations

import logging
import signal
import threading
import time
from typing import Any

import redis
from rq import SimpleWorker
from rq.serializers import JSONSerializer

from .config import Config
from .jobs.queue import JOB_SECONDS, QUEUES, WORKER, beat_key, connect

TTL = 20
"""Seconds; the worker waits for a hint for 15 less, and then says that it is at work."""
MAINTENANCE = 30
"""Seconds between two looks for jobs that died."""
PAUSE = 1.0
"""Seconds between two attempts to reach a server that is not there."""
IDLE_BEAT = 15
"""Seconds after which an idle worker that says nothing is taken for dead; a busy one has its job's time besides."""


_logger = logging.getLogger(__name__)


class BotWorker(SimpleWorker):
    """RQ's worker that runs jobs in its own process, with a heartbeat for the health report."""

    max_connection_wait_time = 2.0
    """Seconds between two attempts to reach the queue."""

    stopped = False

    def request_stop(self, signum: int, frame: Any) -> None:
        """End after the job at hand."""
        self.stopped = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Say that the worker is at work; RQ gives a `timeout` when a job begins."""
        super().heartbeat(timeout, pipeline)
        server = self.connection if pipeline is None else pipeline
        server.set(
            beat_key(WORKER), time.time_ns() // 1_000_000, ex=IDLE_BEAT if timeout is None else IDLE_BEAT + JOB_SECONDS
        )


def run(config: Config) -> None:
    """Work until SIGTERM or SIGINT, then end after the job at hand; a server that is not there is waited for.

    Raises: SystemExit(1) when it ends for another reason, which RQ has logged.
    """
    stop, lost = threading.Event(), False
    while not stop.is_set():
        for name in (signal.SIGTERM, signal.SIGINT):  # RQ has its own while it works.
            signal.signal(name, lambda *_: stop.set())
        try:
            if _work(config):
                return
            connect(config.queue_url, TTL).ping()
            raise SystemExit(1)
        except redis.RedisError as error:
            if not lost:
                _logger.warning("the worker waits for the queue's server: %s", error)
            lost = True
        stop.wait(PAUSE)


def _work(config: Config) -> bool:
    """Work until the end, and return whether somebody asked for it."""
    worker = BotWorker(
        list(QUEUES),
        connection=connect(config.queue_url, TTL),
        serializer=JSONSerializer,
        worker_ttl=TTL,
        maintenance_interval=MAINTENANCE,
        log_job_description=False,
    )
    worker.work(logging_level="WARNING")
    return worker.stopped
