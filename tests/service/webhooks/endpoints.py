"""Endpoints for tests: servers on the loopback interface that record requests, and respond or misbehave as told."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

LOCAL = "127.0.0.1"

Behave = Callable[["Connection"], Awaitable[None]]


@dataclass
class Connection:
    """A connection, as the endpoint sees it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def request(self) -> tuple[dict[str, str], bytes]:
        """Return a request's headers, by lower-case name, and its body; the request line is the header `""`."""
        first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        return {"": first, **headers}, await self.reader.readexactly(int(headers["content-length"]))

    async def send(self, *parts: bytes) -> None:
        """Send bytes unchanged."""
        self.writer.write(b"".join(parts))
        await self.writer.drain()

    async def end(self) -> None:
        """Wait until the client has closed the connection."""
        with suppress(ConnectionError):
            while await self.reader.read(1024):
                pass


@dataclass
class Endpoint:
    """What an endpoint has seen."""

    port: int = 0
    connections: int = 0
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    """The name in each TLS handshake, or None if the client sent no name."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a connection has ended."""

    def url(self, host: str = LOCAL, scheme: str = "http") -> str:
        """Return the endpoint's URL, with a name or its address as the host."""
        return f"{scheme}://{host}:{self.port}/turns?bot=1"


@asynccontextmanager
async def endpoint(behave: Behave, tls: ssl.SSLContext | None = None) -> AsyncIterator[Endpoint]:
    """Run an endpoint that behaves like this on every connection; at the end, wait until clients have closed them."""
    seen = Endpoint()
    at_work: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        at_work.add(task)
        seen.connections += 1
        try:
            await behave(Connection(reader, writer))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with suppress(ConnectionError, ssl.SSLError):
                await writer.wait_closed()
            seen.ended.set()

    if tls is not None:
        tls.sni_callback = lambda _, name, __: seen.names.append(name)
    server = await asyncio.start_server(serve, LOCAL, 0, ssl=tls)
    seen.port = server.sockets[0].getsockname()[1]
    try:
        yield seen
    finally:
        server.close()
        await asyncio.gather(*at_work)
        await server.wait_closed()


@asynccontextmanager
async def answering(*answer: bytes, tls: ssl.SSLContext | None = None) -> AsyncIterator[Endpoint]:
    """Run an endpoint that reads each request and responds with these bytes, whatever they are."""

    async def behave(connection: Connection) -> None:
        running.requests.append(await connection.request())
        await connection.send(*answer)

    async with endpoint(behave, tls) as running:
        yield running


def head(status: str = "200 OK", *lines: str) -> bytes:
    """Return the first lines of a response."""
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode()


def answer(body: bytes = b"{}", status: str = "200 OK", *lines: str) -> bytes:
    """Return a whole response."""
    return head(status, f"Content-Length: {len(body)}", *lines) + body


@dataclass
class Names:
    """A fake name service: each query gets the next answer, and the last answer is repeated."""

    answers: Sequence[Sequence[str]]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, name: str) -> Sequence[str]:
        """Return the addresses of a name."""
        self.asked.append(name)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]
