"""The log server, or a cluster of them: one way to ask it, with bounded patience.

Whatever is asked here may be asked twice. Reads are harmless, and every script recognises what an earlier attempt of
its own has written; therefore an attempt whose answer was lost is simply made again.
"""

from __future__ import annotations

import hashlib
import random
import re
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
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    SlotNotCoveredError,
    TryAgainError,
)

from .errors import StoreUnavailable
from .lines import Command, Lines, connect

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
_WILL_NOT_WRITE = re.compile(r"\b(OOM|MISCONF|NOREPLICAS|READONLY|BUSY)\b")
"""How servers say it that have no exception of their own in the client, or say it from within a script."""


class Script(NamedTuple):
    """A Lua script, and the hash by which a server knows it."""

    text: str
    sha: str


def script(text: str) -> Script:
    """Return a script that a server can be asked to run."""
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


class Server:
    """The log server at an address; it is connected to when it is first asked, and may be asked from any thread."""

    def __init__(self, url: str, *, cluster: bool = False) -> None:
        """Take the address; with `cluster`, of any one node of a cluster."""
        self._url = url
        self._cluster = cluster
        self._lines: Lines | None = None
        self._connecting = threading.Lock()

    def ask(self, *command: Any) -> Any:
        """Return the answer to one command; one round trip. Raises: StoreUnavailable."""
        return self._retried(lambda lines: lines.ask([command])[0])

    def ask_all(self, commands: Iterable[Command]) -> list[Any]:
        """Return the answers to many commands; one round trip, in a cluster one for each node."""
        asked = list(commands)
        return self._retried(lambda lines: lines.ask(asked))

    def run(self, wanted: Script, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """Return what a script returns; one round trip, or two where the server does not know the script yet."""
        return self.run_and_ask(wanted, keys, args, ())[0]

    def run_and_ask(
        self, wanted: Script, keys: Sequence[str], args: Sequence[Any], reads: Sequence[Command]
    ) -> list[Any]:
        """Return what a script returns, then the answers to commands that only read; as many round trips as `run`.

        In a cluster it is one for each node.
        """

        def ask(lines: Lines) -> list[Any]:
            try:
                return lines.ask([("EVALSHA", wanted.sha, len(keys), *keys, *args), *reads])
            except NoScriptError:
                return lines.ask([("EVAL", wanted.text, len(keys), *keys, *args), *reads])

        return self._retried(ask)

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

        return self._retried(ask)

    def listen(self) -> PubSub:
        """Return a listener that has subscribed to nothing yet. Raises: StoreUnavailable or RedisError."""
        # Nodes of a cluster pass on to each other what is published: a random one can be listened to, and another one
        # the next time.
        return random.choice(self._connected().nodes()).pubsub()

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

    def _retried(self, ask: Callable[[Lines], T]) -> T:
        deadline = time.monotonic() + PATIENCE
        for pause in (*PAUSES, None):
            try:
                return ask(self._connected())
            except _TRANSIENT as error:
                if pause is None or time.monotonic() > deadline:
                    raise StoreUnavailable("the log server does not answer") from error
                time.sleep(pause)
            except redis.ResponseError as error:
                if isinstance(error, OutOfMemoryError) or _WILL_NOT_WRITE.search(str(error)):
                    raise StoreUnavailable("the log server does not write") from error
                raise
        raise AssertionError("the last attempt returns or raises")
