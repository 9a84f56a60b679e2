"""The worker process: takes hints from the queue, one at a time, and makes moves for bots and standing orders.

The `thinker` process does the same for search bots.
"""

from __future__ import annotations

import logging
import os
import time
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

import redis
from rq import Queue, SimpleWorker
from rq.exceptions import DequeueTimeout, NoSuchJobError
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.suspension import is_suspended
from rq.utils import as_text, import_attribute

from ..config import Config
from ..hints.outage import Outage
from ..hints.queue import JOB, QUICK, Kind, beat_key, connect, is_damage, mend
from ..store.errors import OtherLayout
from .reporting import reporting
from .shutdown import Ending

NICENESS = 10
"""The increment of a worker's nice value, which gives people's requests priority over bots."""
SLICE = 0.5
"""The number of seconds for which a worker waits for a hint before it checks whether to stop."""
BEAT = 5.0
"""Seconds between two heartbeats of an idle worker."""
IDLE_BEAT = 15
"""Seconds without a heartbeat after which an idle worker counts as dead.

A busy worker counts as dead only after this number of seconds plus the maximum time of a job.
"""
PATIENCE = 5
"""Seconds after which a server that does not answer counts as lost."""
PAUSE = 1.0
"""Seconds between two attempts to reach a lost server."""
REGISTERED = 20
"""Seconds for which a dead worker stays in RQ's list of workers. RQ adds 60 seconds to this number."""
MAINTENANCE = 30
"""Seconds between two checks for jobs whose worker died."""

FORMER_NAMES = {"service.jobs.bots.play": "service.processes.jobs.play", "service.jobs.bots.play_next": JOB}
"""The names that job functions had in earlier versions."""

_logger = logging.getLogger(__name__)


class BotJob(Job):
    """A job that holds the `busy` lock while it runs."""

    busy: AbstractContextManager[Any] = nullcontext()

    @property
    def func(self) -> Any:
        """The function that the job calls. Jobs from an earlier version use the function's former name."""
        name = self.func_name or ""
        return import_attribute(FORMER_NAMES.get(name, name))

    def perform(self) -> Any:
        """Run the job while holding `busy`. RQ writes its own data before and after the job, without the lock."""
        with self.busy:
            return super().perform()


class BotWorker(SimpleWorker):
    """An RQ worker that runs jobs in the worker process itself, and records a heartbeat for the health report.

    `_work` replaces RQ's loop, `work`. While the queue server is unreachable, RQ's loop sleeps, cannot be stopped, and
    logs every attempt.
    """

    job_class = BotJob
    connection_timeout = PATIENCE
    kind = QUICK
    suspended = False
    next_beat = 0.0
    obsolete: OtherLayout | None = None
    """The error after which this worker takes no more jobs, because only workers of another version can run these jobs.
    """
    refusals = Outage(
        _logger, "the worker cannot run jobs: the queue server refuses commands", "the worker runs jobs again"
    )
    """The state of an outage. All workers of a process share this state, because the process creates a new worker after
    each outage.
    """

    def take_turn(self, busy: AbstractContextManager[Any]) -> None:
        """Wait a moment for a hint, and run its job while holding `busy`.

        Raises: redis.RedisError, OtherLayout.
        """
        if time.monotonic() >= self.next_beat:
            self.suspended = bool(is_suspended(self.connection, self))
            self.next_beat = time.monotonic() + BEAT
        if self.should_run_maintenance_tasks:
            self.run_maintenance_tasks()  # type: ignore[no-untyped-call]
        if self.suspended:
            time.sleep(SLICE)
        elif found := self._dequeue():
            job, queue = found
            job.busy = busy
            self.execute_job(job, queue)
        if self.obsolete is not None:
            raise self.obsolete

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Record a heartbeat. RQ passes a `timeout` when a job begins."""
        super().heartbeat(timeout, pipeline)
        server = self.connection if pipeline is None else pipeline
        server.set(
            beat_key(self.kind.process),
            time.time_ns() // 1_000_000,
            ex=IDLE_BEAT if timeout is None else IDLE_BEAT + self.kind.seconds,
        )

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Run a job, and return whether it succeeded."""
        done = super().perform_job(job, queue)
        if done:
            self.refusals.end()
        return done

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """Log why a job failed: with a traceback for a bug, or in one line if the queue server refused commands."""
        error = exc_info[1]
        if isinstance(error, redis.RedisError):
            self.refusals.begin(error)
        elif isinstance(error, OtherLayout):
            self.obsolete = error
        else:
            super().handle_exception(job, *exc_info)

    def _dequeue(self) -> tuple[BotJob, Queue] | None:
        # RQ's `dequeue_any` would ask the server for its version if there is only one queue.
        queues = {queue.key: queue for queue in self.queues}
        try:
            found: Any = self.queue_class.lpop(
                list(queues),
                SLICE,  # type: ignore[arg-type]  # The value is passed to BLPOP, which accepts fractions.
                connection=self.connection,
            )
            key, job_id = map(as_text, found)
            job: Any = self.job_class.fetch(job_id, connection=self.connection, serializer=self.serializer)
        except (DequeueTimeout, NoSuchJobError):
            return None
        return job, queues[key]

    def _set_ip_address(self, _connection: redis.Redis) -> None:
        # RQ would ask the server for this worker's address, and log a warning if the server refused.
        self.ip_address = "unknown"


def run(config: Config, kind: Kind = QUICK, niceness: int = NICENESS) -> None:
    """Work until SIGTERM or SIGINT, and then finish the current job. If the connection to a server is lost, wait until
    the server is back.

    `niceness` is added to the process's nice value. Raises: OtherLayout as soon as a job raises it.
    """
    ending = Ending()
    ending.watch()
    os.nice(niceness)
    logging.getLogger("rq.worker").setLevel(logging.WARNING)
    name = f"the {kind.process}"
    outage = Outage(_logger, f"{name} cannot reach the queue server", f"{name} reaches the queue server again")
    with reporting(config, kind.process):
        while not ending.asked.is_set():
            try:
                _work(config, kind, ending, outage)
            except redis.RedisError as error:
                if not ending.asked.is_set():
                    outage.begin(error)
                    _repair(config, error)
                    ending.asked.wait(PAUSE)


def _repair(config: Config, error: redis.RedisError) -> None:
    """Repair the queue if it is damaged, because every new worker would find the same damage."""
    if is_damage(error):
        with suppress(redis.RedisError), connect(config.queue_url, PATIENCE) as server:
            mend(server)


def _work(config: Config, kind: Kind, ending: Ending, outage: Outage) -> None:
    """Work until a stop is requested. Raises: redis.RedisError, OtherLayout."""
    # Use a new client each time, because the host name may now resolve to a different server.
    with connect(config.queue_url, PATIENCE) as server:
        worker = BotWorker(
            list(kind.queues),
            connection=server,
            serializer=JSONSerializer,
            worker_ttl=REGISTERED,
            maintenance_interval=MAINTENANCE,
        )
        worker.kind = kind
        worker.register_birth()  # type: ignore[no-untyped-call]
        while not ending.asked.is_set():
            worker.take_turn(ending.busy)
            outage.end()
        worker.register_death()  # type: ignore[no-untyped-call]
