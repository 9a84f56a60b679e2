"""A crowd of clients with raw sockets, in a process of its own: it shares no lock with who else is measured.

`python -m benchmarks.crowd PLAN` connects it, and ends with SIGTERM or when the web process has closed every
connection. It prints a line of JSON when all are `connected`, for each event that all have been `told`, and when all
connections were `closed`. Times are those of the monotonic clock (s), which all processes share.
"""

from __future__ import annotations

import asyncio
import resource
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import orjson

from .processes import HERE, started

AT_ONCE = 100
"""Connections that are opened at the same time."""
OTHER_FILES = 100
SMALL_BUFFER = 1
"""Bytes to receive, for who does not read; the system makes it some thousand."""
LAST_CHUNK = b"0\r\n\r\n"


class Plan(NamedTuple):
    """What each client of a crowd does.

    It sends `sent`, and then `dripped` again and again after each `pause` (s). `reads` is false for one that takes
    nothing of its answer. `heard`: it counts as connected when it has received something. `again`: it connects again
    after the server has closed the connection; otherwise it leaves its own end open.
    """

    port: int
    clients: int
    sent: str
    dripped: str = ""
    pause: float = 1.0
    reads: bool = True
    heard: bool = False
    again: bool = False


class Closed(NamedTuple):
    """When the server closed a connection, and whether the answer before had arrived whole."""

    at: float
    whole: bool


class Crowd:
    """All clients of a plan, and what they have to say together."""

    def __init__(self, plan: Plan) -> None:
        """Take the plan; nobody is connected yet."""
        self.plan = plan
        self.loop = asyncio.get_running_loop()
        self.over = self.loop.create_future()
        self._connected = 0
        self._told: list[float] = []
        self._closed: list[Closed] = []
        self._returning: set[asyncio.Task[None]] = set()

    async def gather(self) -> None:
        """Connect all, and wait until each connection is closed."""
        for first in range(0, self.plan.clients, AT_ONCE):
            await asyncio.gather(*(self.connect() for _ in range(min(AT_ONCE, self.plan.clients - first))))
        await self.over

    async def connect(self) -> None:
        """Connect one client."""
        connection = socket.socket()
        connection.setblocking(False)
        if not self.plan.reads:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        await self.loop.sock_connect(connection, (HERE, self.plan.port))
        await self.loop.create_connection(lambda: Client(self), sock=connection)

    def connected(self) -> None:
        """Count a client that is connected."""
        self._connected += 1
        if self._connected == self.plan.clients:
            _say("connected", monotonic())

    def told(self) -> None:
        """Count a client that was told of an event."""
        self._told.append(monotonic())
        if len(self._told) == self.plan.clients:
            _say("told", self._told)
            self._told = []

    def closed(self, whole: bool) -> None:
        """Count a connection that the server has closed."""
        if self.plan.again:
            task = self.loop.create_task(self.connect())
            self._returning.add(task)
            task.add_done_callback(self._returning.discard)
            return
        self._closed.append(Closed(monotonic(), whole))
        if len(self._closed) == self.plan.clients:
            _say("closed", self._closed)
            self.over.set_result(None)


class Client(asyncio.Protocol):
    """One connection."""

    def __init__(self, crowd: Crowd) -> None:
        """Belong to a crowd."""
        self._crowd = crowd
        self._received = b""
        self._silent = self._open = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Do as planned."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        plan = self._crowd.plan
        transport.write(plan.sent.encode())
        if not plan.reads:
            transport.pause_reading()
        if plan.dripped:
            self._crowd.loop.call_later(plan.pause, self._drip)
        if not plan.heard:
            self._crowd.connected()

    def data_received(self, data: bytes) -> None:
        """Note what is heard: a stream that sends whole lines, or an answer."""
        self._received += data
        if self._crowd.plan.heard and self._silent and b"\r\n\r\n" in self._received[:-2]:
            self._silent = False
            self._crowd.connected()
        if b'"seq":' in self._received and self._received.endswith(b"\n\r\n"):
            self._received = b""
            self._crowd.told()

    def eof_received(self) -> bool:
        """Note the end, and leave this end open unless the client comes again."""
        self._end()
        return not self._crowd.plan.again

    def connection_lost(self, _: Exception | None) -> None:
        """Note the end."""
        self._end()

    def _end(self) -> None:
        if self._open:
            self._open = False
            self._crowd.closed(_is_whole(self._received))

    def _drip(self) -> None:
        if self._open and not self._transport.is_closing():
            self._transport.write(self._crowd.plan.dripped.encode())
            self._crowd.loop.call_later(self._crowd.plan.pause, self._drip)


def _is_whole(received: bytes) -> bool:
    """Return whether what was received last is the end of a stream, or a whole answer."""
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.lower().splitlines() if line.startswith(b"content-length:")]
    return len(body) == int(lengths[0]) if lengths else received.endswith(LAST_CHUNK)


def _say(kind: str, value: Any) -> None:
    print(orjson.dumps({kind: value}, default=tuple).decode(), flush=True)


class Followed:
    """A crowd, as who has started it sees it; it was `connected` at that moment (s)."""

    def __init__(self, lines: Iterator[str], log: Path) -> None:
        """Take what it prints, and wait until all are connected; what it says of errors is in the log."""
        self._lines = lines
        self._log = log
        self.connected: float = self._next("connected")

    def told(self) -> list[float]:
        """Wait until all clients were told of an event, and return when each was (s)."""
        times: list[float] = self._next("told")
        return times

    def closed(self) -> list[Closed]:
        """Wait until the server has closed every connection."""
        return [Closed(*one) for one in self._next("closed")]

    def _next(self, kind: str) -> Any:
        for line in self._lines:
            said = orjson.loads(line)
            if kind in said:
                return said[kind]
        raise RuntimeError(f"the crowd has ended before it was {kind}: {self._log.read_text()}")


@contextmanager
def crowd(plan: Plan, folder: Path) -> Iterator[Followed]:
    """Keep a crowd connected within the block."""
    log = folder / "crowd.log"
    with started(["benchmarks.crowd", orjson.dumps(plan._asdict()).decode()], log, {}) as process:
        assert process.stdout is not None
        yield Followed(iter(process.stdout), log)


async def _run(plan: Plan) -> None:
    await Crowd(plan).gather()


def _allow_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
        )


if __name__ == "__main__":
    planned = Plan(**orjson.loads(sys.argv[1]))
    _allow_files(planned.clients)
    asyncio.run(_run(planned))
