"""Transport: sends commands to the log server, or to a cluster of log servers, and returns the replies.

For one server, this module uses redis-py's connections but has its own pool. For each command, redis-py's pool
repeatedly takes a lock, checks whether the socket is still open, and updates counters. With many threads, these steps
took about a tenth of the time that a move takes (decision 0002). The pool in this module does not check connections
before use: if a connection is dead, the command fails, and the `connection` module retries the command. The library
hiredis packs the commands. Unlike redis-py, hiredis does not inspect each word of a command.
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

Connection = Any
"""A redis-py connection. Its methods have no type annotations."""

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 3.0
"""Seconds to wait for a reply. A server that writes to disk before it replies is as slow as its disk."""
CONNECTIONS = 4096
"""The maximum number of connections. A process has fewer threads than this, so the number of threads is the actual
limit."""

# If the client retried too, its retries would multiply the retries of `connection`. With RESP 2, a reply has the same
# shape on all servers.
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
"""The error codes for which redis-py has classes. redis-py drops these codes from the message, unless a script passes
the error on."""
_WORD = re.compile(r"\b(READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|NOREPLICAS|OOM|MISCONF|BUSY|NOPERM|WRONGTYPE)\b")
_PERMISSION = re.compile(r"ACL failure in script|user executing the script can't")
_NOT_SERVING = ("READONLY", "LOADING", "MASTERDOWN", "CLUSTERDOWN", "NOREPLICAS")
"""Error codes of a server that currently serves no requests, perhaps because another server has replaced it (a
failover).
"""


def word_of(error: BaseException) -> str:
    """Return the error code with which a server refused a command, such as OOM, or "" if the code is unknown."""
    for kind, word in _WORDS.items():
        if isinstance(error, kind):
            return word
    match = _WORD.search(str(error))
    return match[1] if match else "NOPERM" if _PERMISSION.search(str(error)) else ""


class _DisconnectsOnRefusal:
    """A connection that closes when the server replies that it does not accept commands. The caller then gets the error
    for a lost connection.
    """

    def read_response(self, *args: Any, **kwargs: Any) -> Any:
        """Return the next reply. Raises: redis.ConnectionError if the server does not accept commands."""
        try:
            return super().read_response(*args, **kwargs)  # type: ignore[misc]
        except redis.ResponseError as error:
            word = word_of(error)
            if word not in _NOT_SERVING:
                raise
            self.disconnect()  # type: ignore[attr-defined]
            raise redis.ConnectionError(f"{word} {error}") from error


@cache
def _disconnecting(kind: type) -> type:
    """Return a subclass of a redis-py connection class, with the behaviour of `_DisconnectsOnRefusal`."""
    return type(f"DisconnectsOnRefusal{kind.__name__}", (_DisconnectsOnRefusal, kind), {})


def disconnect_on_refusal(client: redis.Redis) -> redis.Redis:
    """Return a client whose connections close when the server replies that it does not accept commands.

    The next connection resolves the server's name again, and therefore reaches the server that has taken over. If
    connections stayed open, a process would keep its connection to a demoted primary, which refuses every write.
    """
    pool = client.connection_pool
    pool.connection_class = _disconnecting(pool.connection_class)
    return client


class Node(Protocol):
    """The part of redis-py's single-server client that the store uses."""

    def pipeline(self, *, transaction: bool) -> Any:
        """Return a pipeline, which collects commands and sends them together."""

    def pubsub(self) -> PubSub:
        """Return a listener that has subscribed to nothing yet."""


class Connections(Protocol):
    """Connections to one server, or to all servers of a cluster."""

    generation: int
    """The number of times that all connections were closed. A listener that was created before the last of these times
    may be connected to a server that is gone.
    """

    def ask(self, commands: Sequence[Command]) -> list[Any]:
        """Return the replies to commands, with an error for each command that the server refused.

        Takes one round trip, or one for each node in a cluster. The replies are exactly the server's replies. In a
        cluster, redis-py changes the replies to a few commands, but the store does not use these commands. Raises:
        RedisError if the server does not answer.
        """

    def nodes(self) -> Sequence[Node]:
        """Return every server that holds data."""

    def close(self) -> None:
        """Close all connections. The next `ask` reconnects."""


def connect(url: str, *, cluster: bool) -> Connections:
    """Return connections to the server at `url` or, if `cluster` is true, to all nodes that the node at `url` names.

    Raises: redis.ConnectionError if a cluster does not name its nodes.
    """
    return _ToCluster(url) if cluster else _ToServer(url)


class _ToServer:
    """Connections to one server. A thread takes the most recently used idle connection, or opens another connection."""

    def __init__(self, url: str) -> None:
        """Store the address of the server. Connections are opened only when they are needed."""
        self._client = disconnect_on_refusal(redis.Redis.from_url(url, **_SETTINGS))
        self._idle: list[Connection] = []
        self.generation = 0

    def ask(self, commands: Sequence[Command]) -> list[Any]:
        connection = self._take()
        try:
            connection.send_packed_command([b"".join(map(pack_command, commands))])
            answers = [_answer(connection) for _ in commands]
        except BaseException:
            # A late reply must not be taken for the reply to a later command, so this connection is closed. The other
            # connections are probably dead, too.
            connection.disconnect()
            self._disconnect_all()
            raise
        self._idle.append(connection)
        return answers

    def nodes(self) -> Sequence[Node]:
        return [self._client]

    def close(self) -> None:
        self._disconnect_all()
        self._client.close()

    # Other threads may take and return connections at the same time. A single operation on a list is atomic, but two
    # operations together are not.

    def _take(self) -> Connection:
        try:
            return self._idle.pop()
        except IndexError:
            pool = self._client.connection_pool
            return pool.connection_class(**pool.connection_kwargs)

    def _disconnect_all(self) -> None:
        self.generation += 1
        self._client.connection_pool.disconnect(inuse_connections=False)
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().disconnect()


def _answer(connection: Connection) -> Any:
    """Return the next reply. A refusal is returned, not raised, and the connection stays usable."""
    try:
        return connection.read_response()
    except redis.ResponseError as refusal:
        return refusal


class _ToCluster:
    """Connections to a cluster through redis-py's client, which finds the node of each slot and follows moved slots."""

    generation = 0

    def __init__(self, url: str) -> None:
        """Ask the node at `url` for the other nodes."""
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
