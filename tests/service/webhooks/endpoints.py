"""Endpoints for tests: servers on loopback that note what reaches them and answer, or misbehave, as they are told."""

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
    """One connection, seen from the endpoint's end."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def request(self) -> tuple[dict[str, str], bytes]:
        """Return a request's headers, by names in lower case, and its body; the first line is the header `""`."""
        first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        return {"": first, **headers}, await self.reader.readexactly(int(headers["content-length"]))

    async def send(self, *parts: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(b"".join(parts))
        await self.writer.drain()

    async def end(self) -> None:
        """Wait until the other end is gone."""
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
    """What TLS was asked for, a name for each handshake; None where it was asked for none."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """That a connection has come to its end."""

    def url(self, host: str = LOCAL, scheme: str = "http") -> str:
        """Return its URL, by a name or by its address."""
        return f"{scheme}://{host}:{self.port}/turns?bot=1"


@asynccontextmanager
async def endpoint(behave: Behave, tls: ssl.SSLContext | None = None) -> AsyncIterator[Endpoint]:
    """Run an endpoint that behaves so on every connection; leaving waits until the other end has ended them all."""
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
    """Run an endpoint that reads each request and answers with these bytes, whatever they are."""

    async def behave(connection: Connection) -> None:
        running.requests.append(await connection.request())
        await connection.send(*answer)

    async with endpoint(behave, tls) as running:
        yield running


def head(status: str = "200 OK", *lines: str) -> bytes:
    """Return the first lines of an answer."""
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode()


def answer(body: bytes = b"{}", status: str = "200 OK", *lines: str) -> bytes:
    """Return a whole answer."""
    return head(status, f"Content-Length: {len(body)}", *lines) + body


@dataclass
class Names:
    """A directory of names whose answers are made up: each question is given the next, and the last for ever."""

    answers: Sequence[Sequence[str]]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, name: str) -> Sequence[str]:
        """Return the addresses of a name."""
        self.asked.append(name)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]
