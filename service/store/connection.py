"""The log server, or a cluster of them: one way to ask it, with bounded patience.

Whatever is asked here may be asked twice. Reads are harmless, and every script recognises what an earlier attempt of
its own has written; therefore an attempt whose answer was lost is simply made again.

Nothing else than a `StoreError` is ever raised: `StoreUnavailable` where the server does not answer or refuses to work,
`OtherLayout` where a script is asked to work in a shard of another layout, `DamagedData` where a key does not hold what
it should.
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

from .errors import DamagedData, StoreError, StoreForbids, StoreUnavailable
from .layout import LAYOUT, key_beside, lacks_number, meaning_of, number_shards
from .lua import Script
from .transport import Command, Lines, connect, word_of

T = TypeVar("T")

PAUSES = (0.05, 0.2, 0.5)
"""Seconds between attempts: together enough for a server that restarts, little for somebody who waits."""
PATIENCE = 2.5
"""Seconds after which no further attempt is made: a server that stands still has taken one attempt's time by then."""

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
"""What servers answer that read and do not write."""
_BUSY = ("BUSY", "LOADING", "MASTERDOWN", "CLUSTERDOWN")
"""What servers answer that will serve another time."""

_logger = logging.getLogger(__name__)


class Refusal(NamedTuple):
    """A write that the server has refused: when (seconds of the monotonic clock), and its word for the reason."""

    at: float
    reason: str


class ReadAhead:
    """Answers to commands that were sent together with others, kept until they are taken."""

    def __init__(self, answers: list[Any]) -> None:
        """Take the answers, refusals among them."""
        self._answers: list[Any] | None = answers

    def take(self) -> list[Any] | None:
        """Return the answers and forget them; None when they have been taken before. Raises: StoreError."""
        answers, self._answers = self._answers, None
        return None if answers is None else _all_good(answers)


class Server:
    """The log server at an address; it is connected to when it is first asked, and may be asked from any thread."""

    def __init__(self, url: str, *, cluster: bool = False, layout: int = LAYOUT) -> None:
        """Take the address; with `cluster`, of any one node of a cluster. Scripts work in shards of one layout only."""
        self.layout = layout
        self._url = url
        self._cluster = cluster
        self._lines: Lines | None = None
        self._connecting = threading.Lock()
        self.refused: Refusal | None = None
        """The last write that was refused to this process."""
        self.damaged: dict[str, float] = {}
        """Keys that could not be read, and when that was found out last (seconds of the monotonic clock)."""

    def ask(self, *command: Any) -> Any:
        """Return the answer to one command; one round trip. Raises: StoreError."""
        return self.ask_all([command])[0]

    def ask_all(self, commands: Iterable[Command]) -> list[Any]:
        """Return the answers to many commands; one round trip, in a cluster one for each node. Raises: StoreError."""
        asked = list(commands)
        return _all_good(self._retried(lambda lines: lines.ask(asked)))

    def ask_and_read_ahead(self, command: Command, others: Sequence[Command]) -> tuple[Any, ReadAhead]:
        """Return the answer to one command, and those to others that are sent with it; round trips as `ask_all`.

        The server's refusal of one of the others is raised when their answers are taken. Raises: StoreError.
        """
        answer, *ahead = self._retried(lambda lines: lines.ask([command, *others]))
        return _all_good([answer])[0], ReadAhead(ahead)

    def ask_parts(self, commands: Iterable[Command]) -> list[Any]:
        """Return the answers to commands that each read one part of something; one round trip, as `ask_all`.

        None stands for a part that cannot be read: one bad key must not hide what is in all the others. It is logged,
        and named in `damaged` until it can be read again.

        Raises: StoreUnavailable where the server does not work; StoreError where no part can be read.
        """
        asked = list(commands)
        answers = self._retried(lambda lines: lines.ask(asked))
        failures = [answer for answer in answers if isinstance(answer, Exception)]
        outage = next((failure for failure in failures if _is_outage(failure)), None)
        if outage is not None or (failures and len(failures) == len(asked)):
            raise _meaning(outage or failures[0]) from outage or failures[0]
        for command, answer in zip(asked, answers, strict=True):
            self._note(_key_of(command), answer)
        return [None if isinstance(answer, Exception) else answer for answer in answers]

    def run(self, wanted: Script, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """Return what a script returns; one round trip, or two where the server does not know the script yet."""
        return self.run_and_ask(wanted, keys, args, ())[0]

    def run_noting(self, wanted: Script, keys: Sequence[str], args: Sequence[Any]) -> tuple[Any, bool]:
        """Return what a script returns, and whether it was sent only once; round trips as `run`.

        What a script finds that was sent only once was written by somebody else; else it may be its own.
        """
        sent = 0

        def ask(lines: Lines) -> list[Any]:
            nonlocal sent
            sent += 1
            return self._run(lines, wanted, keys, args, ())

        return _all_good(self._retried(ask))[0], sent == 1

    def run_and_ask(
        self, wanted: Script, keys: Sequence[str], args: Sequence[Any], reads: Sequence[Command]
    ) -> list[Any]:
        """Return what a script returns, then the answers to commands that only read; as many round trips as `run`.

        In a cluster it is one for each node.
        """
        return _all_good(self._retried(lambda lines: self._run(lines, wanted, keys, args, reads)))

    def command(self, wanted: Script, keys: Sequence[str], args: Sequence[Any] = ()) -> Command:
        """Return the command that runs a script, to be asked together with others."""
        return wanted.command(*self._fenced(keys, args))

    def ask_each_node(self, commands: Iterable[Command]) -> list[list[Any]]:
        """Return the answers of every node that holds data; an error stands in the place of its answer."""
        asked = list(commands)

        def ask(lines: Lines) -> list[list[Any]]:
            answers = []
            for node in lines.nodes():
                with node.pipeline(transaction=False) as pipe:
                    for command in asked:
                        pipe.execute_command(*command)
                    answers.append(list(pipe.execute(raise_on_error=False)))
            return answers

        return self._attempted(ask)

    def listen(self) -> tuple[PubSub, Callable[[], bool]]:
        """Return a listener that has subscribed to nothing yet, and what says whether to listen anew.

        That is when the lines were hung up: the server may have been replaced, and would never say so to a listener.
        Raises: StoreUnavailable or RedisError.
        """
        lines = self._connected()
        laid = lines.laid
        # Nodes of a cluster pass on to each other what is published: a random one can be listened to, and another one
        # the next time.
        return random.choice(lines.nodes()).pubsub(), lambda: lines.laid != laid

    def close(self) -> None:
        """Leave the server; it is connected to again when it is asked again."""
        with self._connecting:
            lines, self._lines = self._lines, None
        if lines is not None:
            lines.close()

    def _connected(self) -> Lines:
        with self._connecting:
            if self._lines is None:
                self._lines = connect(self._url, cluster=self._cluster)
            return self._lines

    def _retried(self, ask: Callable[[Lines], list[Any]]) -> list[Any]:
        """Return answers, the refusals among them that asking again cannot change. Raises: StoreUnavailable."""

        def attempt(lines: Lines) -> list[Any]:
            answers = ask(lines)
            if any(isinstance(answer, Exception) and lacks_number(answer) for answer in answers):
                number_shards(lambda commands: _unrefused(lines.ask(commands)), self.layout)
                answers = ask(lines)
            for answer in answers:
                if isinstance(answer, _TRANSIENT):
                    raise answer
                self._note_refusal(answer)
            return answers

        return self._attempted(attempt)

    def _attempted(self, ask: Callable[[Lines], T]) -> T:
        deadline = time.monotonic() + PATIENCE
        for pause in (*PAUSES, None):
            try:
                return ask(self._connected())
            except _TRANSIENT as error:
                if pause is None or time.monotonic() > deadline:
                    self._note_refusal(error)
                    raise _meaning(error) from error
                time.sleep(pause)
            except redis.RedisError as error:
                raise _meaning(error) from error
        raise AssertionError("the last attempt returns or raises")

    def _run(
        self, lines: Lines, wanted: Script, keys: Sequence[str], args: Sequence[Any], reads: Sequence[Command]
    ) -> list[Any]:
        """Return what a script returns, then the answers to commands that only read."""
        keys, args = self._fenced(keys, args)
        answers = lines.ask([("EVALSHA", wanted.sha, len(keys), *keys, *args), *reads])
        if isinstance(answers[0], NoScriptError):
            answers = lines.ask([wanted.command(keys, args), *reads])
        return answers

    def _fenced(self, keys: Sequence[str], args: Sequence[Any]) -> tuple[list[str], list[Any]]:
        """Return KEYS and ARGV with what `fence.lua` takes off their ends."""
        return [*keys, key_beside(keys[0])], [*args, self.layout]

    def _note_refusal(self, answer: Any) -> None:
        if isinstance(answer, Exception) and (word := word_of(answer)) in _WRITES_REFUSED:
            self.refused = Refusal(time.monotonic(), word)

    def _note(self, key: str, answer: Any) -> None:
        """Remember whether a key can be read, and log where that has changed; a script may read others beside it."""
        if isinstance(answer, Exception):
            if key not in self.damaged:
                _logger.error("cannot read key %s, ignoring it: %s", key, answer)
            self.damaged[key] = time.monotonic()
        elif self.damaged and self.damaged.pop(key, None) is not None:
            _logger.warning("key %s can be read again", key)


def _is_outage(failure: Exception) -> bool:
    """Tell whether a refusal concerns the whole server, and not only what was asked for."""
    meaning = _meaning(failure)
    return isinstance(meaning, StoreUnavailable) and not isinstance(meaning, StoreForbids)


def _unrefused(answers: list[Any]) -> list[Any]:
    """Return answers none of which is a refusal. Raises: redis.RedisError, the first refusal."""
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


def _all_good(answers: list[Any]) -> list[Any]:
    """Return answers none of which is a refusal. Raises: StoreError, for the first refusal."""
    for answer in answers:
        if isinstance(answer, Exception):
            raise _meaning(answer) from answer
    return answers


def _meaning(error: Exception) -> StoreError:
    """Return what a refusal of the server means to whoever asked."""
    if (other := meaning_of(error)) is not None:
        return other
    word = word_of(error)
    if word in _WRITES_REFUSED:
        return StoreUnavailable(f"the log server refuses writes ({word})")
    if word == "NOPERM":
        return StoreForbids("the log server denies permission for this command (NOPERM)")
    if isinstance(error, _TRANSIENT) or word in _BUSY:
        return StoreUnavailable("the log server does not answer")
    return DamagedData(str(error))


def _key_of(command: Command) -> str:
    """Return the key that a command reads; that of a script stands behind its text and the number of its keys."""
    return str(command[3] if command[0] in ("EVAL", "EVALSHA") else command[1])
