"""Lines to the log server, or to a cluster of them: what is sent over one, and what comes back.

To one server the connections are redis-py's and the pool is ours. Its pool locks, asks the socket whether the other end
is still there, and counts for observers, several times for each command; with many threads that was about a tenth of
what a move costs (decision 0002). Here nothing is asked beforehand: a line that is dead is found out when it is used,
and `connection` asks again whatever was asked. What is sent is packed by hiredis, without redis-py's look at each word.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import redis
from hiredis import pack_command
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    MasterDownError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
)
from redis.retry import Retry

Command = tuple[Any, ...]

Line = Any
"""A connection of redis-py's, whose methods have no types."""

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 3.0
"""A server that writes to disk before it answers may take as long as a slow disk."""
CONNECTIONS = 4096
"""More than a process has threads, so that it is the threads that bound what is asked at once."""

# The client's own retries would multiply with ours. RESP 2 gives every reply one shape, on every server.
_SETTINGS: dict[str, Any] = {
    "protocol": 2,
    "retry": Retry(NoBackoff(), 0),
    "max_connections": CONNECTIONS,
    "socket_connect_timeout": CONNECT_SECONDS,
    "socket_timeout": ANSWER_SECONDS,
}


_WORDS: Mapping[type[Exception], str] = {
    ReadOnlyError: "READONLY",
    BusyLoadingError: "LOADING",
    MasterDownError: "MASTERDOWN",
    ClusterDownError: "CLUSTERDOWN",
    OutOfMemoryError: "OOM",
    NoPermissionError: "NOPERM",
}
"""redis-py makes a class of these words and leaves them out of the message, unless a script passes the error on."""
_WORD = re.compile(r"\b(READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|NOREPLICAS|OOM|MISCONF|BUSY|NOPERM|WRONGTYPE)\b")
_FORBIDDEN = re.compile(r"ACL failure in script|user executing the script can't")
_DOES_NOT_SERVE = ("READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "NOREPLICAS")
"""Answers of a server that does not serve now, perhaps because another one has taken its place (a failover)."""


def word_of(error: BaseException) -> str:
    """Return the word with which a server has said why it refuses, "" where it has said none that is known here."""
    for kind, word in _WORDS.items():
        if isinstance(error, kind):
            return word
    found = _WORD.search(str(error))
    return found[1] if found else "NOPERM" if _FORBIDDEN.search(str(error)) else ""


class _HangsUp:
    """A connection that ends when its server says that it does not serve, as if the server were gone."""

    def read_response(self, *args: Any, **kwargs: Any) -> Any:
        """Return the next answer. Raises: redis.ConnectionError where the server does not serve."""
        try:
            return super().read_response(*args, **kwargs)  # type: ignore[misc]
        except redis.ResponseError as error:
            word = word_of(error)
            if word not in _DOES_NOT_SERVE:
                raise
            self.disconnect()  # type: ignore[attr-defined]
            raise redis.ConnectionError(f"{word} {error}") from error


@cache
def _hanging_up(kind: type) -> type:
    """Return a kind of connection that hangs up as above; one class for each kind that redis-py has."""
    return type(f"HangsUp{kind.__name__}", (_HangsUp, kind), {})


def hang_up_on_refusal(client: redis.Redis) -> redis.Redis:
    """Return a client whose connections end when the server says that it does not serve.

    The next connection resolves the name again and so finds the server that has taken over. Without this, a connection
    to a primary that was demoted would be kept, and every write over it refused, for as long as the process lives.
    """
    pool = client.connection_pool
    pool.connection_class = _hanging_up(pool.connection_class)
    return client


class Node(Protocol):
    """What is used of redis-py's client for one server."""

    def pipeline(self, *, transaction: bool) -> Any:
        """Gather commands, to send them at once."""

    def pubsub(self) -> PubSub:
        """Return a listener that has subscribed to nothing yet."""


class Lines(Protocol):
    """Lines to one server, or to all of a cluster."""

    laid: int
    """How often all lines were hung up: who listens on one of them listens to a server that may be gone."""

    def ask(self, commands: Sequence[Command]) -> list[Any]:
        """Return the answers, an error where the server refused; one round trip, in a cluster one for each node.

        They are as the server gave them. redis-py gives those of a few commands another shape in a cluster; none of
        these is used. Raises: RedisError where the server does not answer.
        """

    def nodes(self) -> Sequence[Node]:
        """Return every server that holds data."""

    def close(self) -> None:
        """Hang up; whoever asks again is connected again."""


def connect(url: str, *, cluster: bool) -> Lines:
    """Return lines to the server at an address; with `cluster`, to all of those that any one node of it names.

    Raises: redis.ConnectionError where a cluster does not say what it consists of.
    """
    return _ToCluster(url) if cluster else _ToServer(url)


class _ToServer:
    """Lines to one server: as many as were used at once, each lent to one thread at a time, the last one first."""

    def __init__(self, url: str) -> None:
        """Take the address; a line is laid when all are in use."""
        self._client = hang_up_on_refusal(redis.Redis.from_url(url, **_SETTINGS))
        self._idle: list[Line] = []
        self.laid = 0

    def ask(self, commands: Sequence[Command]) -> list[Any]:
        line = self._take()
        try:
            line.send_packed_command([b"".join(map(pack_command, commands))])
            answers = [_answer(line) for _ in commands]
        except BaseException:
            # Its answer may still come. The others are likely to be as dead as this one.
            line.disconnect()
            self._hang_up()
            raise
        self._idle.append(line)
        return answers

    def nodes(self) -> Sequence[Node]:
        return [self._client]

    def close(self) -> None:
        self._hang_up()
        self._client.close()

    # Others may take and give back at the same moment: one step at a list is never torn apart, two are.

    def _take(self) -> Line:
        try:
            return self._idle.pop()
        except IndexError:
            pool = self._client.connection_pool
            return pool.connection_class(**pool.connection_kwargs)

    def _hang_up(self) -> None:
        self.laid += 1
        self._client.connection_pool.disconnect(inuse_connections=False)
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().disconnect()


def _answer(line: Line) -> Any:
    """Return the next answer; a refusal is one too, after which the line goes on."""
    try:
        return line.read_response()
    except redis.ResponseError as refusal:
        return refusal


class _ToCluster:
    """Lines to a cluster: redis-py's, which knows who holds what and follows what moves."""

    laid = 0

    def __init__(self, url: str) -> None:
        """Ask a node for the others."""
        try:
            self._client: Any = redis.RedisCluster.from_url(url, **_SETTINGS)
        except RedisClusterException as error:
            raise redis.ConnectionError(str(error)) from error

    def ask(self, commands: Sequence[Command]) -> list[Any]:
        if len(commands) == 1:
            try:
                return [self._client.execute_command(*commands[0])]
            except redis.ResponseError as refusal:
                return [refusal]
        with self._client.pipeline(transaction=False) as pipe:
            for command in commands:
                pipe.execute_command(*command)
            return list(pipe.execute(raise_on_error=False))

    def nodes(self) -> Sequence[Node]:
        return [self._client.get_redis_connection(node) for node in self._client.get_primaries()]

    def close(self) -> None:
        self._client.close()
