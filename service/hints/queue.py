"""The queue of hints, and the heartbeats of the processes that use it.

A hint waits in a line (`fair`). For each hint, the service puts a job without arguments on one of RQ's queues. A job
takes the next hint when it runs. RQ therefore has as many jobs as there are hints, but does not decide which hint comes
next.

The turns of search bots have their own lines, queue and workers, so no other turn has to wait for a search bot.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

from ..config import Config
from ..metrics.table import HINTS
from ..store.lua import Script, script
from ..store.rows import parse_int
from ..store.transport import disconnect_on_refusal, word_of
from . import fair
from .fair import Hint
from .outage import Outage

QUEUE = "hints"
"""The name of the queue for the jobs that take hints for quick turns."""
OLD_QUEUE = "bots"
"""The queue of an earlier version of the service, whose jobs name their game. Workers empty this queue first. No new
jobs are put on it."""
THINKING_QUEUE = "thinking"
"""The name of the queue for the jobs that take hints for turns of bots that search."""
QUEUES = (OLD_QUEUE, QUEUE, THINKING_QUEUE)
JOB, THINKING_JOB = "service.processes.jobs.play_next", "service.processes.jobs.think_next"
WAITING_SECONDS = 3600
"""How long a job is kept if no worker takes it, in seconds. The time is limited, because a job may be lost from its
queue."""
FAILURE_SECONDS = 3600
"""How long a failed job's data are kept for the operator, in seconds."""
CLAIM_SECONDS = 10
"""How long a thinker's claim to a position lasts, in seconds, unless the thinker ends it earlier. If a thinker is
killed, other thinkers wait this long before they take over."""
ADVICE_SECONDS = 86_400
"""How long advice is kept, in seconds. If a player asks again after this time, the same advice is computed again."""
FAILED_SECONDS = 60
"""If a job could not play a turn, the clock waits this number of seconds before it sends another hint for the
turn."""
WORKER, THINKER, CLOCK, DELIVER = "worker", "thinker", "clock", "deliver"
AT_WORK = (WORKER, THINKER, CLOCK, DELIVER)
"""The processes that regularly record that they are running."""
TIMEOUT = 1.0
"""The maximum number of seconds that a request waits for the queue server. If a hint cannot be sent in this time, the
clock sends it later."""


class Kind(NamedTuple):
    """A kind of worker: the name of its process, and where it gets its work.

    The worker takes jobs from `queues`, which are in order of priority. New jobs are put on the last of these queues. A
    job may take up to `seconds`. The hints for these jobs come from the pair of lines whose keys are `lines`.
    `searches` says whether these hints are for search bots' turns.
    """

    process: str
    queues: Sequence[str]
    seconds: int
    lines: Sequence[str]
    searches: bool


QUICK = Kind(WORKER, (OLD_QUEUE, QUEUE), 30, fair.KEYS, searches=False)
# A thinker's process has the lowest priority. On a busy machine, a move that needs one second of CPU time may therefore
# take many seconds.
THINKING = Kind(THINKER, (THINKING_QUEUE,), 60, fair.THINKING_KEYS, searches=True)
KINDS = (QUICK, THINKING)

Turn = tuple[str, int]
"""A game, and the time at which the turn that a worker must play in it became due (ms since the epoch, by the log
server's clock)."""
UNSENT = "cannot send hints; the clock process will send them when the queue server is back"

_logger = logging.getLogger(__name__)


def connect(url: str, patience: float) -> redis.Redis:
    """Return a client for the queue server. The client gives up after `patience` seconds, and does not retry."""
    times = {"socket_timeout": patience, "socket_connect_timeout": patience}
    return disconnect_on_refusal(redis.Redis.from_url(url, protocol=2, retry=Retry(NoBackoff(), 0), **times))


class Hints:
    """The hints that are waiting for workers."""

    def __init__(self, config: Config, job: str = JOB, thinking_job: str = THINKING_JOB) -> None:
        """Use the queue server that `config` names.

        `job` and `thinking_job` are dotted names of functions that take a hint.
        """
        self._server = connect(config.queue_url, TIMEOUT)
        self._queues = {kind: self._queue_of(kind) for kind in KINDS}
        self._jobs = {QUICK: job, THINKING: thinking_job}
        self._outage = Outage(_logger, UNSENT, "sending hints again")

    def send(self, hint: Hint) -> bool:
        """Send a hint in one round trip. Never raises: if the hint cannot be sent, the clock sends it later."""
        try:
            self.put([hint])
        except redis.RedisError as error:
            self._outage.begin(error)
            HINTS.add("failed")
            return False
        self._outage.end()
        HINTS.add("sent")
        return True

    def put(self, hints: Sequence[Hint]) -> None:
        """Put hints into their lines, and put a job for each hint on the queue.

        Takes one round trip. Raises: redis.RedisError.

        A hint that is already waiting is not added again. A job is added even for such a hint, so one job later finds
        no hint.
        """
        with self._server.pipeline() as pipe:
            for kind in KINDS:
                if of_kind := [hint for hint in hints if hint.searches == kind.searches]:
                    self._enqueue(kind, len(of_kind), pipe)
                    # Send the script's full text each time. In a pipeline, it would be too late to send the text after
                    # the server has reported that it does not know the script's hash.
                    pipe.eval(fair.PUT.text, len(kind.lines), *kind.lines, *fair.to_arguments(of_kind))
            pipe.execute()

    def waits(self, hint: Hint) -> bool:
        """Return whether a hint is waiting, or False if the queue server does not answer.

        Takes one round trip. Never raises.
        """
        try:
            return self._server.zscore(*fair.place_of(hint)) is not None
        except redis.RedisError:
            return False

    def take(self, kind: Kind = QUICK) -> Hint | None:
        """Take and return the next hint for a kind of worker, or None if there is none. Takes one round trip.

        Raises: redis.RedisError.
        """
        answer = self._ask(fair.TAKE, kind.lines, fair.SHARE)
        return fair.read(*answer, searches=kind.searches) if answer else None

    def people_wait(self) -> bool:
        """Return whether a hint for a game with human players is waiting for a worker other than a thinker.

        Takes one round trip. Raises: redis.RedisError.
        """
        return bool(self._server.exists(fair.PEOPLE))

    def waiting(self) -> set[Hint]:
        """Return the hints that no worker has taken yet.

        If the queue server has lost the jobs for some of these hints, put new jobs on the queues.

        Takes one round trip, plus one more if jobs are missing. Raises: redis.RedisError.
        """
        with self._server.pipeline(transaction=False) as pipe:
            for kind in KINDS:
                keys = [*kind.lines, self._queues[kind].key]
                pipe.eval(fair.READ_LINES.text, len(keys), *keys)
            answers = pipe.execute()
        missing_jobs = {kind: missing for kind, (_, _, missing) in zip(KINDS, answers, strict=True) if missing}
        if missing_jobs:
            with self._server.pipeline() as pipe:
                for kind, missing in missing_jobs.items():
                    self._enqueue(kind, missing, pipe)
                pipe.execute()
        hints = [
            fair.read(member, number, searches=kind.searches)
            for kind, (people, bots, _) in zip(KINDS, answers, strict=True)
            for number, line in ((1, people), (3, bots))
            for member in line
        ]
        return {hint for hint in hints if hint is not None}

    def fail(self, hint: Hint) -> None:
        """Record that a job could not play the turn that a hint is about. Takes one round trip.

        Never raises: if the failure cannot be recorded, the clock does not wait `FAILED_SECONDS` before it resends the
        hint.
        """
        with contextlib.suppress(redis.RedisError):
            self._server.set(fair.failed_key(hint.game), hint.due, ex=FAILED_SECONDS)

    def failed(self, turns: Sequence[Turn]) -> set[Turn]:
        """Return the turns that `fail` recorded recently. Takes one round trip. Raises: redis.RedisError."""
        if not turns:
            return set()
        marks = self._server.mget([fair.failed_key(game) for game, _ in turns])
        return {turn for turn, mark in zip(turns, marks, strict=True) if mark == b"%d" % turn[1]}

    @contextlib.contextmanager
    def claim(self, game_id: str, version: int) -> Iterator[bool]:
        """Claim a position for a thinker until the block ends. Yield False if another thinker has claimed the position.

        Takes two round trips. Never raises: if the queue server does not answer, yields True.
        """
        key = claim_key(game_id, version)
        is_first: Any = True
        with contextlib.suppress(redis.RedisError):
            is_first = self._server.set(key, b"", nx=True, ex=CLAIM_SECONDS)
        try:
            yield bool(is_first)
        finally:
            if is_first:
                with contextlib.suppress(redis.RedisError):
                    self._server.delete(key)

    def keep_advice(self, game_id: str, text: bytes) -> None:
        """Store a game's latest advice for `ADVICE_SECONDS`. Takes one round trip. Raises: redis.RedisError."""
        self._server.set(advice_key(game_id), text, ex=ADVICE_SECONDS)

    def advice(self, game_id: str) -> bytes | None:
        """Return a game's latest advice, or None if there is none or the queue server does not answer.

        Takes one round trip. Never raises.
        """
        try:
            text: Any = self._server.get(advice_key(game_id))
        except redis.RedisError:
            return None
        return text if isinstance(text, bytes) else None

    def beat(self, who: str, seconds: int) -> None:
        """Record that a process is running. The record expires after `seconds`.

        Takes one round trip. Raises: redis.RedisError.
        """
        self._server.set(beat_key(who), time.time_ns() // 1_000_000, ex=seconds)

    def ask_together(self, ask: Callable[[Any], None]) -> list[Any]:
        """Return the server's replies, including errors, to the commands that `ask` puts into a pipeline.

        Takes one round trip. Raises: redis.RedisError if the server does not answer.
        """
        with self._server.pipeline(transaction=False) as pipe:
            ask(pipe)
            return list(pipe.execute(raise_on_error=False))

    def beats(self) -> dict[str, int | None] | None:
        """Return when each process in `AT_WORK` last recorded that it was running: ms since the epoch, or None.

        A time of None means that the process is no longer running. If the queue server does not answer, the function
        returns None instead of a dict. Takes one round trip. Never raises.
        """
        try:
            beats: list[Any] = self._server.mget([beat_key(who) for who in AT_WORK])
        except redis.RedisError:
            return None
        return {who: parse_int(beat) for who, beat in zip(AT_WORK, beats, strict=True)}

    def close(self) -> None:
        """Close the connections to the queue server. The next call reconnects."""
        self._server.close()

    def _queue_of(self, kind: Kind) -> Queue:
        """Return the queue that holds the jobs for a kind of worker."""
        queue = Queue(kind.queues[-1], connection=self._server, serializer=JSONSerializer)
        # This is the oldest supported version of Redis. Asking the server for its actual version would cost a round
        # trip.
        queue.redis_server_version = (6, 2, 0)
        return queue

    def _enqueue(self, kind: Kind, jobs: int, pipe: Any) -> None:
        """Put new jobs on the queue of a kind of worker. `jobs` is the number of new jobs. Each job takes one hint."""
        for _ in range(jobs):
            self._queues[kind].enqueue_call(
                self._jobs[kind],
                # Give each job a unique id, because a job deletes the data under its id when it ends.
                job_id=f"hint-{secrets.token_hex(8)}",
                timeout=kind.seconds,
                ttl=WAITING_SECONDS,
                result_ttl=0,
                failure_ttl=FAILURE_SECONDS,
                pipeline=pipe,
            )

    def _ask(self, script: Script, keys: Sequence[str], *args: str | int) -> Any:
        return self._server.eval(script.text, len(keys), *keys, *args)


class LateHints(Hints):
    """The hints of a worker: `send` only stores a hint, and `send_last` sends the hint that was stored last.

    A worker can play several consecutive turns of a game. Other workers need a hint only after the last of these turns.
    """

    last: Hint | None = None

    def send(self, hint: Hint) -> bool:
        """Store a hint, which `send_last` can send later."""
        self.last = hint
        return True

    def forget(self) -> None:
        """Discard the stored hint."""
        self.last = None

    def send_last(self) -> None:
        """Send the stored hint, if there is one, in one round trip. Never raises."""
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
"""For each kind of key that RQ uses for a queue (`rq:<kind>:<queue>`), the type of its value."""


def mend(server: redis.Redis) -> None:
    """Delete RQ's keys whose values have the wrong type, and log them. Takes one round trip.

    Raises: redis.RedisError.
    """
    kinds = {"rq:queues": "set", "rq:workers": "set", "rq:suspended": "string"}
    kinds |= {f"rq:{kind}:{queue}": type_ for queue in QUEUES for kind, type_ in _OF_A_QUEUE.items()}
    mended: Any = server.eval(MEND.text, len(kinds), *kinds, *kinds.values())
    for key in mended:
        _logger.error("key %s on the queue server had unexpected content and was deleted", key.decode())


def is_damage(error: redis.RedisError) -> bool:
    """Return whether an error means that a key's value has the wrong type."""
    return word_of(error) == "WRONGTYPE"


def advice_key(game_id: str) -> str:
    """Return the key on the queue server that holds a game's latest advice."""
    return f"condottiere:advice:{game_id}"


def claim_key(game_id: str, version: int) -> str:
    """Return the key on the queue server that a thinker uses to claim a position."""
    return f"{fair.PREFIX}claimed:{game_id}:{version}"


def beat_key(who: str) -> str:
    """Return the key that marks a process as running. The key is on the queue server."""
    return f"condottiere:beat:{who}"
