"""The queue of hints: "in this game a bot must act", and who has said lately that he is at work."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Iterable
from typing import NamedTuple

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

from ..config import Config
from ..store.lines import hang_up_on_refusal

QUEUE = "bots"
JOB = "service.jobs.bots.play"
JOB_SECONDS = 30
FAILURE_SECONDS = 3600
"""How long what is known of a failed job is kept, for its operator to read."""
WORKER, CLOCK, DELIVER = "worker", "clock", "deliver"
AT_WORK = (WORKER, CLOCK, DELIVER)
"""Those who say from time to time that they are."""
JOB_ID = re.compile(r"bot-(\w+)-(\d+)-\w+")
PATIENCE = 1.0
"""Seconds that a request waits for the queue: the clock sends what was not sent."""

_logger = logging.getLogger(__name__)


class Hint(NamedTuple):
    """In this game a bot must act since `due` (ms since the epoch, by the log server's clock)."""

    game: str
    due: int


def connect(url: str, patience: float) -> redis.Redis:
    """Return a client of the queue's server that gives up after so many seconds, and does not try again."""
    times = {"socket_timeout": patience, "socket_connect_timeout": patience}
    return hang_up_on_refusal(redis.Redis.from_url(url, protocol=2, retry=Retry(NoBackoff(), 0), **times))


class Hints:
    """The hints that wait for a worker."""

    def __init__(self, config: Config, job: str = JOB) -> None:
        """Take where the queue is; `job` is the dotted name of the function that a hint's game is given to."""
        self._server = connect(config.queue_url, PATIENCE)
        self._queue = Queue(QUEUE, connection=self._server, serializer=JSONSerializer)
        # The oldest server that will do: stated, because asking would cost a round trip.
        self._queue.redis_server_version = (6, 2, 0)
        self._job = job

    def send(self, game_id: str, due: int) -> bool:
        """Send a hint; never raises: what cannot be sent is left to the clock. One round trip."""
        try:
            self.put([Hint(game_id, due)])
        except redis.RedisError as error:
            _logger.warning("no hint was sent for game %s, the clock will send it: %s", game_id, error)
            return False
        return True

    def put(self, hints: Iterable[Hint]) -> None:
        """Put hints on the queue; one round trip. Raises: redis.RedisError."""
        with self._server.pipeline() as pipe:
            for hint in hints:
                self._queue.enqueue_call(
                    self._job,
                    args=(hint.game,),
                    job_id=_job_id(hint),
                    timeout=JOB_SECONDS,
                    result_ttl=0,
                    failure_ttl=FAILURE_SECONDS,
                    pipeline=pipe,
                )
            pipe.execute()

    def waiting(self) -> set[Hint]:
        """Return the hints that no worker has taken yet; one round trip. Raises: redis.RedisError."""
        return {hint for job_id in self._queue.get_job_ids() if (hint := _hint(job_id))}

    def beat(self, who: str, seconds: int) -> None:
        """Say that somebody is at work, for so many seconds; one round trip. Raises: redis.RedisError."""
        self._server.set(beat_key(who), time.time_ns() // 1_000_000, ex=seconds)

    def beats(self) -> dict[str, int | None] | None:
        """Return when each of `AT_WORK` last said that it is at work (ms since the epoch), None where it no longer is.

        None where the queue's server does not answer. One round trip, never raises.
        """
        try:
            beats = self._server.mget([beat_key(who) for who in AT_WORK])
        except redis.RedisError:
            return None
        return {who: None if beat is None else int(beat) for who, beat in zip(AT_WORK, beats, strict=True)}

    def close(self) -> None:
        """Leave the queue's server; it is connected to again when it is needed."""
        self._server.close()


def beat_key(who: str) -> str:
    """Return the key on the queue's server that says that somebody is at work."""
    return f"condottiere:beat:{who}"


def _job_id(hint: Hint) -> str:
    # No two ids are alike, for a job that ends deletes what is kept under its id.
    return f"bot-{hint.game}-{hint.due}-{secrets.token_hex(4)}"


def _hint(job_id: str) -> Hint | None:
    """Return the hint that a job is, None where it is somebody else's job."""
    match = JOB_ID.fullmatch(job_id)
    return Hint(match[1], int(match[2])) if match else None
