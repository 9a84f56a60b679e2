"""The log server, or a cluster of log servers: runs commands with a bounded number of retries.

A command may be sent more than once. Repeated reads are harmless, and every script recognises the data that its own
earlier attempt wrote. If the reply to an attempt is lost, the command is therefore simply resent.

Every error that a command causes is a `StoreError`. The error is `StoreUnavailable` if the server does not answer or
refuses to work, and `DamagedData` if a key holds unexpected data. The error is `OtherLayout` if a script would run in a
shard with another layout, and `ReadOnlyMode` if a script would write in a read-only shard.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import redis
from redis.client import PubSub
from redis.exceptions import (
    ClusterDownError,
    ClusterError,
    MasterDownError,
    NoScriptError,
    ReadOnlyError,
    RedisClusterException,
    SlotNotCoveredError,
    TryAgainError,
)

from ..metrics.table import ROUND_TRIP_SECONDS, STORE_FAILURES
from .errors import DamagedData, ReadOnlyMode, StoreError, StoreForbids, StoreUnavailable
from .layout import LAYOUT, fence_error, key_beside, lacks_number, number_shards
from .lua import Script
from .transport import Command, Connections, connect, word_of

T = TypeVar("T")

PAUSES = (0.05, 0.2, 0.5)
"""Seconds between attempts. Together, the pauses are long enough for a server to restart, but short enough that a
caller can wait.
"""
RETRY_SECONDS = 2.5
"""Seconds after which no new attempt begins. If the server hangs, the first attempt takes longer than this to time out,
and there is no second attempt.
"""

_TRANSIENT = (
    redis.ConnectionError,
    redis.TimeoutError,
    ClusterDownError,
    ClusterError,
    MasterDownError,
    ReadOnlyError,
    RedisClusterException,
    SlotNotCoveredError,
    TryAgainError,
)
_WRITES_REFUSED = ("OOM", "MISCONF", "NOREPLICAS", "READONLY")
"""Error codes of a server that accepts reads but no writes."""
_BUSY = ("BUSY", "LOADING", "MASTERDOWN", "CLUSTERDOWN")
"""Error codes with which a server says that it will work again later."""

_logger = logging.getLogger(__name__)


class Refusal(NamedTuple):
    """A write that the server refused: the time (in seconds, by the monotonic clock) and the error code."""

    at: float
    reason: str


class ReadAhead:
    """Replies to commands that were sent together with an earlier command. The replies can be taken only once."""

    def __init__(self, answers: list[Any]) -> None:
        """Store these replies, which may include refusals."""
        self._answers: list[Any] | None = answers

    def take(self) -> list[Any] | None:
        """Return the replies, or None if they have already been taken. Raises: StoreError."""
        answers, self._answers = self._answers, None
        return None if answers is None else _require_success(answers)


class Server:
    """The log server at an address. The object connects on first use, and can be used from any thread."""

    def __init__(self, url: str, *, cluster: bool = False, layout: int = LAYOUT) -> None:
        """Use the server at `url`, or any node of a `cluster`. Scripts run only in shards of this `layout`."""
        self.layout = layout
        self.cluster = cluster
        self._url = url
        self._connections: Connections | None = None
        self._connecting = threading.Lock()
        self.last_refusal: Refusal | None = None
        """The last write of this process that the server refused."""
        self.damaged: dict[str, float] = {}
        """Keys that could not be read, and when they were last tried (seconds of the monotonic clock)."""

    def ask(self, *command: Any) -> Any:
        """Return the reply to one command. Takes one round trip. Raises: StoreError."""
        return self.ask_all([command])[0]

    def ask_all(self, commands: Iterable[Command]) -> list[Any]:
        """Return the replies to commands. Takes one round trip, or one for each node in a cluster.

        Raises: StoreError.
        """
        batch = list(commands)
        return _require_success(self._ask_with_retries(lambda connections: connections.ask(batch)))

    def ask_and_read_ahead(self, command: Command, reads: Sequence[Command]) -> tuple[Any, ReadAhead]:
        """Return the reply to one command, and the replies to `reads`, which are sent in the same round trip. Takes as
        many round trips as `ask_all`. If the server refuses a read, this method does not raise the error;
        `ReadAhead.take` does.

        Raises: StoreError.
        """
        answer, *answers_ahead = self._ask_with_retries(lambda connections: connections.ask([command, *reads]))
        return _require_success([answer])[0], ReadAhead(answers_ahead)

    def ask_parts(self, commands: Iterable[Command]) -> list[Any]:
        """Return the replies to commands that each read one part of the same data.

        Takes as many round trips as `ask_all`. If a part cannot be read, its reply is None, so that one bad key does
        not hide the other parts. The bad key is logged, and stays in `damaged` until the key can be read again.

        Raises: StoreUnavailable if the server does not answer or refuses all work; StoreError if no part can be read.
        """
        batch = list(commands)
        answers = self._ask_with_retries(lambda connections: connections.ask(batch))
        failures = [answer for answer in answers if isinstance(answer, Exception)]
        outage = next((failure for failure in failures if _is_outage(failure)), None)
        if outage is not None or (failures and len(failures) == len(batch)):
            raise _store_error(outage or failures[0]) from outage or failures[0]
        for command, answer in zip(batch, answers, strict=True):
            self._note_damage(_key_of(command), answer)
        return [None if isinstance(answer, Exception) else answer for answer in answers]

    def run(self, script: Script, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """Return the result of a script. Takes one round trip, or two if the server has not cached the script yet."""
        return self.run_and_ask(script, keys, args, ())[0]

    def run_noting_retries(self, script: Script, keys: Sequence[str], args: Sequence[Any]) -> tuple[Any, bool]:
        """Return the result of a script, and whether the script was sent only once.

        Takes as many round trips as `run`. If the script was sent only once, all the data that it found were written by
        other callers. After a retry, this caller's own first attempt may have written the data that the script found.
        """
        attempts = 0

        def ask(connections: Connections) -> list[Any]:
            nonlocal attempts
            attempts += 1
            return self._run(connections, script, keys, args, ())

        return _require_success(self._ask_with_retries(ask))[0], attempts == 1

    def run_and_ask(
        self, script: Script, keys: Sequence[str], args: Sequence[Any], reads: Sequence[Command]
    ) -> list[Any]:
        """Return a list with the result of a script, followed by the replies to `reads`.

        `reads` are commands that do not write. Takes as many round trips as `run`, or one for each node in a cluster.
        """
        return _require_success(
            self._ask_with_retries(lambda connections: self._run(connections, script, keys, args, reads))
        )

    def command(self, script: Script, keys: Sequence[str], args: Sequence[Any] = ()) -> Command:
        """Return the command that runs a script, to be sent together with other commands."""
        return script.command(*self._with_guards(script, keys, args))

    def ask_each_node(self, commands: Iterable[Command]) -> list[list[Any]]:
        """Return one list of replies for each node that holds data. The reply to a failed command is an error."""
        batch = list(commands)

        def ask(connections: Connections) -> list[list[Any]]:
            answers = []
            for node in connections.nodes():
                with node.pipeline(transaction=False) as pipe:
                    for command in batch:
                        pipe.execute_command(*command)
                    answers.append(list(pipe.execute(raise_on_error=False)))
            return answers

        return self._with_retries(ask)

    def listen(self) -> tuple[PubSub, Callable[[], bool]]:
        """Return a listener without subscriptions, and a function that returns whether a new listener is needed.

        A new listener is needed once the connections have been closed, because the server may have been replaced
        without the old listener noticing. Raises: StoreUnavailable or RedisError.
        """
        connections = self._connect()
        generation = connections.generation
        # The nodes of a cluster forward published messages to each other, so it is enough to listen to a random node.
        return random.choice(connections.nodes()).pubsub(), lambda: connections.generation != generation

    def close(self) -> None:
        """Close the connections. The next command reconnects."""
        with self._connecting:
            connections, self._connections = self._connections, None
        if connections is not None:
            connections.close()

    def _connect(self) -> Connections:
        with self._connecting:
            if self._connections is None:
                self._connections = connect(self._url, cluster=self.cluster)
            return self._connections

    def _ask_with_retries(self, ask: Callable[[Connections], list[Any]]) -> list[Any]:
        """Return the replies to commands, including refusals that a retry would not change.

        Raises: StoreUnavailable.
        """

        def attempt(connections: Connections) -> list[Any]:
            answers = ask(connections)
            if any(isinstance(answer, Exception) and lacks_number(answer) for answer in answers):
                number_shards(lambda commands: _require_answers(connections.ask(commands)), self.layout)
                answers = ask(connections)
            for answer in answers:
                if isinstance(answer, _TRANSIENT):
                    raise answer
                self._note_refusal(answer)
            return answers

        return self._with_retries(attempt)

    def _with_retries(self, ask: Callable[[Connections], T]) -> T:
        deadline = time.monotonic() + RETRY_SECONDS
        for pause in (*PAUSES, None):
            try:
                connections, start = self._connect(), time.perf_counter()
                answers = ask(connections)
            except _TRANSIENT as error:
                STORE_FAILURES.add()
                if pause is None or time.monotonic() > deadline:
                    self._note_refusal(error)
                    raise _store_error(error) from error
                time.sleep(pause)
            except redis.RedisError as error:
                raise _store_error(error) from error
            else:
                ROUND_TRIP_SECONDS.observe(time.perf_counter() - start)
                return answers
        raise AssertionError("the last attempt returns or raises")

    def _run(
        self,
        connections: Connections,
        script: Script,
        keys: Sequence[str],
        args: Sequence[Any],
        reads: Sequence[Command],
    ) -> list[Any]:
        """Return the result of a script, followed by the replies to `reads`."""
        keys, args = self._with_guards(script, keys, args)
        answers = connections.ask([("EVALSHA", script.sha, len(keys), *keys, *args), *reads])
        if isinstance(answers[0], NoScriptError):
            answers = connections.ask([script.command(keys, args), *reads])
        return answers

    def _with_guards(self, script: Script, keys: Sequence[str], args: Sequence[Any]) -> tuple[list[str], list[Any]]:
        """Return a script's KEYS and ARGV, with the arguments for `fence.lua` and `gate.lua` appended."""
        gate = [key_beside(keys[0], "closed")] if script.gated else []
        return [*keys, *gate, key_beside(keys[0])], [*args, self.layout]

    def _note_refusal(self, answer: Any) -> None:
        if isinstance(answer, Exception) and (word := word_of(answer)) in _WRITES_REFUSED:
            self.last_refusal = Refusal(time.monotonic(), word)

    def _note_damage(self, key: str, answer: Any) -> None:
        """Remember whether a command's key can be read, and log each change."""
        if isinstance(answer, Exception):
            if key not in self.damaged:
                _logger.error("ignoring key %s, because it cannot be read: %s", key, answer)
            self.damaged[key] = time.monotonic()
        elif self.damaged and self.damaged.pop(key, None) is not None:
            _logger.warning("key %s can be read again", key)


def _is_outage(failure: Exception) -> bool:
    """Return whether a failure means that the server refuses all work, rather than just one command."""
    meaning = _store_error(failure)
    return isinstance(meaning, StoreUnavailable) and not isinstance(meaning, StoreForbids)


def _require_answers(answers: list[Any]) -> list[Any]:
    """Return the replies. Raises: redis.RedisError (the first refusal among the replies)."""
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


def _require_success(answers: list[Any]) -> list[Any]:
    """Return the replies. Raises: StoreError for the first refusal among the replies."""
    for answer in answers:
        if isinstance(answer, Exception):
            raise _store_error(answer) from answer
    return answers


def _store_error(error: Exception) -> StoreError:
    """Return the `StoreError` that corresponds to the server's error reply to a command."""
    if (other := fence_error(error)) is not None:
        return other
    if str(error).startswith("CLOSED "):
        return ReadOnlyMode("the host has made the store read-only")
    word = word_of(error)
    if word in _WRITES_REFUSED:
        return StoreUnavailable(f"the log server refuses writes ({word})")
    if word == "NOPERM":
        return StoreForbids("the log server denies permission for this command (NOPERM)")
    if isinstance(error, _TRANSIENT) or word in _BUSY:
        return StoreUnavailable("the log server is not responding")
    return DamagedData(str(error))


def _key_of(command: Command) -> str:
    """Return the key that a command reads. If the command runs a script, the key is the script's first key."""
    return str(command[3] if command[0] in ("EVAL", "EVALSHA") else command[1])
