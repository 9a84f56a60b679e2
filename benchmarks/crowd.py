"""A crowd of clients with raw sockets, in a separate process so that it shares no lock with the measured servers.

`python -m benchmarks.crowd PLAN` connects the clients, and runs until SIGTERM or until the web process has closed every
connection. It prints a line of JSON when all clients are `connected`, each time all clients have received an event
(`told`), and when all connections are `closed`. Times are in seconds of the monotonic clock, which all processes share.
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

from .processes import HERE, run_module

AT_ONCE = 100
"""The number of connections that are opened at the same time."""
OTHER_FILES = 100
SMALL_BUFFER = 1
"""The receive buffer, in bytes, of a client that does not read. The system rounds this up to a few thousand."""
LAST_CHUNK = b"0\r\n\r\n"


class Plan(NamedTuple):
    """The behaviour of each client of a crowd.

    The client sends `first_bytes`, and then `drip_bytes` after each `pause` (s). If `reads` is False, the client does
    not read the response. If `needs_bytes` is True, the client counts as connected only once it has received something.
    If `reconnects` is True, the client reconnects after the server has closed the connection; otherwise, it keeps its
    side of the connection open.
    """

    port: int
    clients: int
    first_bytes: str
    drip_bytes: str = ""
    pause: float = 1.0
    reads: bool = True
    needs_bytes: bool = False
    reconnects: bool = False


class Closed(NamedTuple):
    """When the server closed a connection, and whether the whole response had arrived by then."""

    at: float
    whole: bool


class Crowd:
    """All clients of a plan.

    Prints a report when all of them are connected, have received an event, or are disconnected.
    """

    def __init__(self, plan: Plan) -> None:
        """Prepare the crowd, without connecting any client."""
        self.plan = plan
        self.loop = asyncio.get_running_loop()
        self.over = self.loop.create_future()
        self._connect_times = 0
        self._receivers: list[float] = []
        self._close_times: list[Closed] = []
        self._returning: set[asyncio.Task[None]] = set()

    async def gather(self) -> None:
        """Connect all clients, and wait until each connection is closed."""
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
        """Count a connected client."""
        self._connect_times += 1
        if self._connect_times == self.plan.clients:
            _report("connected", monotonic())

    def told(self) -> None:
        """Count a client that received an event."""
        self._receivers.append(monotonic())
        if len(self._receivers) == self.plan.clients:
            _report("told", self._receivers)
            self._receivers = []

    def closed(self, whole: bool) -> None:
        """Count a connection that the server has closed."""
        if self.plan.reconnects:
            task = self.loop.create_task(self.connect())
            self._returning.add(task)
            task.add_done_callback(self._returning.discard)
            return
        self._close_times.append(Closed(monotonic(), whole))
        if len(self._close_times) == self.plan.clients:
            _report("closed", self._close_times)
            self.over.set_result(None)


class Client(asyncio.Protocol):
    """One connection."""

    def __init__(self, crowd: Crowd) -> None:
        """Join a crowd."""
        self._crowd = crowd
        self._received = b""
        self._silent = self._open = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the plan's first bytes."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        plan = self._crowd.plan
        transport.write(plan.first_bytes.encode())
        if not plan.reads:
            transport.pause_reading()
        if plan.drip_bytes:
            self._crowd.loop.call_later(plan.pause, self._drip)
        if not plan.needs_bytes:
            self._crowd.connected()

    def data_received(self, data: bytes) -> None:
        """Collect the received bytes. Count the client when the response has begun and when an event is complete."""
        self._received += data
        if self._crowd.plan.needs_bytes and self._silent and b"\r\n\r\n" in self._received[:-2]:
            self._silent = False
            self._crowd.connected()
        if b'"seq":' in self._received and self._received.endswith(b"\n\r\n"):
            self._received = b""
            self._crowd.told()

    def eof_received(self) -> bool:
        """Record that the server closed its side. Keep the client's side open unless the client reconnects."""
        self._end()
        return not self._crowd.plan.reconnects

    def connection_lost(self, _: Exception | None) -> None:
        """Record the end of the connection."""
        self._end()

    def _end(self) -> None:
        if self._open:
            self._open = False
            self._crowd.closed(_is_whole(self._received))

    def _drip(self) -> None:
        if self._open and not self._transport.is_closing():
            self._transport.write(self._crowd.plan.drip_bytes.encode())
            self._crowd.loop.call_later(self._crowd.plan.pause, self._drip)


def _is_whole(received: bytes) -> bool:
    """Return whether the received bytes are a complete response, or end with the end of a stream."""
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.lower().splitlines() if line.startswith(b"content-length:")]
    return len(body) == int(lengths[0]) if lengths else received.endswith(LAST_CHUNK)


def _report(kind: str, value: Any) -> None:
    print(orjson.dumps({kind: value}, default=tuple).decode(), flush=True)


class RunningCrowd:
    """A crowd that runs in a child process. `connected` is the time (s) at which all clients were connected."""

    def __init__(self, lines: Iterator[str], log: Path) -> None:
        """Wait until all clients are connected. `lines` is the crowd's output, and `log` contains its errors."""
        self._lines = lines
        self._log = log
        self.connected: float = self._next("connected")

    def told(self) -> list[float]:
        """Wait until all clients have received an event, and return the time (s) at which each received it."""
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
        raise RuntimeError(f"the crowd exited before it was {kind}: {self._log.read_text()}")


@contextmanager
def crowd(plan: Plan, folder: Path) -> Iterator[RunningCrowd]:
    """Keep a crowd connected for the duration of a `with` block."""
    log = folder / "crowd.log"
    with run_module(["benchmarks.crowd", orjson.dumps(plan._asdict()).decode()], log, {}) as process:
        assert process.stdout is not None
        yield RunningCrowd(iter(process.stdout), log)


async def _run(plan: Plan) -> None:
    await Crowd(plan).gather()


def _allow_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = count + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (needed if hard == resource.RLIM_INFINITY else min(needed, hard), hard)
        )


if __name__ == "__main__":
    planned = Plan(**orjson.loads(sys.argv[1]))
    _allow_files(planned.clients)
    asyncio.run(_run(planned))
