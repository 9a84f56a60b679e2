"""The queue of hints: "in this game a bot must act", and who has said lately that he is at work.

A hint waits in a line (`fair`), and with it a job without arguments is put on RQ's queue: the job takes whichever hint
is next. So RQ carries as many jobs as hints wait, and does not decide whose turn it is.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
from collections.abc import Sequence
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

from ..config import Config
from ..store.lua import Script, script
from ..store.rows import whole
from ..store.transport import hang_up_on_refusal, word_of
from . import fair
from .fair import Hint
from .outage import Outage

QUEUE = "hints"
"""The queue of the jobs that take a hint."""
OLD_QUEUE = "bots"
"""The queue of an earlier version, whose jobs name their game. A worker takes those first: no new ones are sent."""
QUEUES = (OLD_QUEUE, QUEUE)
JOB = "service.processes.jobs.play_next"
JOB_SECONDS = 30
WAITING_SECONDS = 3600
"""How long a job is kept that nobody takes: it may have been lost from its queue."""
FAILURE_SECONDS = 3600
"""How long what is known of a failed job is kept, for its operator to read."""
FAILED_SECONDS = 60
"""How long the clock does not ask again for a turn for which a job could do nothing."""
WORKER, CLOCK, DELIVER = "worker", "clock", "deliver"
AT_WORK = (WORKER, CLOCK, DELIVER)
"""Those who say from time to time that they are."""
PATIENCE = 1.0
"""Seconds that a request waits for the queue: the clock sends what was not sent."""

Turn = tuple[str, int]
"""A game, and since when somebody must act in it (ms since the epoch, by the log server's clock)."""
LOST = "cannot send hints; the clock will send them when the queue's server is back"

_logger = logging.getLogger(__name__)


def connect(url: str, patience: float) -> redis.Redis:
    """Return a client of the queue's server that gives up after so many seconds, and does not try again."""
    times = {"socket_timeout": patience, "socket_connect_timeout": patience}
    return hang_up_on_refusal(redis.Redis.from_url(url, protocol=2, retry=Retry(NoBackoff(), 0), **times))


class Hints:
    """The hints that wait for a worker."""

    def __init__(self, config: Config, job: str = JOB) -> None:
        """Take where the queue is; `job` is the dotted name of the function that takes a hint."""
        self._server = connect(config.queue_url, PATIENCE)
        self._queue = Queue(QUEUE, connection=self._server, serializer=JSONSerializer)
        # The oldest server that will do: stated, because asking would cost a round trip.
        self._queue.redis_server_version = (6, 2, 0)
        self._job = job
        self._outage = Outage(_logger, LOST, "sending hints again")

    def send(self, hint: Hint) -> bool:
        """Send a hint; never raises: what cannot be sent is left to the clock. One round trip."""
        try:
            self.put([hint])
        except redis.RedisError as error:
            self._outage.begin(error)
            return False
        self._outage.end()
        return True

    def put(self, hints: Sequence[Hint]) -> None:
        """Put hints into their lines, and a job for each on the queue; one round trip. Raises: redis.RedisError.

        A hint that waits already is not put twice; the job that is one too many finds nothing to do.
        """
        with self._server.pipeline() as pipe:
            self._enqueue(len(hints), pipe)
            # Sent whole each time: a server that does not know a script could not be sent it in the middle.
            pipe.eval(fair.PUT.text, len(fair.KEYS), *fair.KEYS, *fair.written(hints))
            pipe.execute()

    def take(self) -> Hint | None:
        """Take the hint that is next, None where none waits; one round trip. Raises: redis.RedisError."""
        taken = self._ask(fair.TAKE, fair.KEYS, fair.SHARE)
        return fair.read(*taken) if taken else None

    def people_wait(self) -> bool:
        """Tell whether a hint waits for a game that a person waits for; one round trip. Raises: redis.RedisError."""
        return bool(self._server.exists(fair.PEOPLE))

    def waiting(self) -> set[Hint]:
        """Return the hints that no worker has taken yet; see that there are as many jobs.

        A hint may have lost its job. One round trip, and one more where jobs are missing. Raises: redis.RedisError.
        """
        people, bots, missing = self._ask(fair.LOOK, [*fair.KEYS, self._queue.key])
        if missing:
            with self._server.pipeline() as pipe:
                self._enqueue(missing, pipe)
                pipe.execute()
        found = [fair.read(member, number) for number, line in ((1, people), (3, bots)) for member in line]
        return {hint for hint in found if hint is not None}

    def fail(self, hint: Hint) -> None:
        """Say that a job could do nothing for a hint's turn; one round trip.

        Never raises: where it cannot be said, the clock asks again sooner.
        """
        with contextlib.suppress(redis.RedisError):
            self._server.set(fair.failed_key(hint.game), hint.due, ex=FAILED_SECONDS)

    def failed(self, turns: Sequence[Turn]) -> set[Turn]:
        """Return those of some turns of which that was said lately; one round trip. Raises: redis.RedisError."""
        if not turns:
            return set()
        marks = self._server.mget([fair.failed_key(game) for game, _ in turns])
        return {turn for turn, mark in zip(turns, marks, strict=True) if mark == b"%d" % turn[1]}

    def beat(self, who: str, seconds: int) -> None:
        """Say that somebody is at work, for so many seconds; one round trip. Raises: redis.RedisError."""
        self._server.set(beat_key(who), time.time_ns() // 1_000_000, ex=seconds)

    def beats(self) -> dict[str, int | None] | None:
        """Return when each of `AT_WORK` last said that it is at work (ms since the epoch), None where it no longer is.

        None where the queue's server does not answer. One round trip, never raises.
        """
        try:
            beats: list[Any] = self._server.mget([beat_key(who) for who in AT_WORK])
        except redis.RedisError:
            return None
        return {who: whole(beat) for who, beat in zip(AT_WORK, beats, strict=True)}

    def close(self) -> None:
        """Leave the queue's server; it is connected to again when it is needed."""
        self._server.close()

    def _enqueue(self, jobs: int, pipe: Any) -> None:
        """Put so many jobs on the queue, each of which takes a hint."""
        for _ in range(jobs):
            self._queue.enqueue_call(
                self._job,
                # No two ids are alike, for a job that ends deletes what is kept under its id.
                job_id=f"hint-{secrets.token_hex(8)}",
                timeout=JOB_SECONDS,
                ttl=WAITING_SECONDS,
                result_ttl=0,
                failure_ttl=FAILURE_SECONDS,
                pipeline=pipe,
            )

    def _ask(self, script: Script, keys: Sequence[str], *args: str | int) -> Any:
        return self._server.eval(script.text, len(keys), *keys, *args)


class LateHints(Hints):
    """The hints of a worker: what is sent is kept until `send_last`, and only the last one is sent then.

    A worker lets a game go on for several turns. In between, the hint for its next turn is needed by nobody else.
    """

    last: Hint | None = None

    def send(self, hint: Hint) -> bool:
        """Keep a hint."""
        self.last = hint
        return True

    def forget(self) -> None:
        """Forget what was kept."""
        self.last = None

    def send_last(self) -> None:
        """Send what was kept, if anything was; never raises. One round trip."""
        hint, self.last = self.last, None
        if hint is not None:
            super().send(hint)


MEND = script("mend_queue", __package__)
_OF_A_QUEUE = {
    "queue": "list",
    "wip": "zset",
    "finished": "zset",
    "failed": "zset",
    "deferred": "zset",
    "scheduled": "zset",
    "canceled": "zset",
    "workers": "set",
    "clean_registries": "string",
}
"""The keys that RQ has for each queue, `rq:<kind>:<queue>`, and their types."""


def mend(server: redis.Redis) -> None:
    """Delete RQ's keys that hold something else than they should, and log which; one round trip.

    Raises: redis.RedisError.
    """
    kinds = {"rq:queues": "set", "rq:workers": "set", "rq:suspended": "string"}
    kinds |= {f"rq:{kind}:{queue}": type_ for queue in QUEUES for kind, type_ in _OF_A_QUEUE.items()}
    mended: Any = server.eval(MEND.text, len(kinds), *kinds, *kinds.values())
    for key in mended:
        _logger.error("key %s of the queue had unexpected content and was deleted", key.decode())


def is_damage(error: redis.RedisError) -> bool:
    """Tell whether an error says that a key holds something else than it should."""
    return word_of(error) == "WRONGTYPE"


def beat_key(who: str) -> str:
    """Return the key on the queue's server that says that somebody is at work."""
    return f"condottiere:beat:{who}"
