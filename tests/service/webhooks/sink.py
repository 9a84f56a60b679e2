"""A receiver of messages for people: it records requests, and responds with a status."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import orjson
from aiohttp import web

from .subscriber import LONG


class Received(NamedTuple):
    """A request that was received."""

    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return orjson.loads(self.body)


class Sink:
    """A receiver that accepts everything, unless `status` is changed."""

    def __init__(self) -> None:
        """Start without any requests."""
        self.received: list[Received] = []
        self.status = 200
        self.answer = b""
        self.url = ""
        self._news = asyncio.Condition()

    async def handle(self, request: web.Request) -> web.Response:
        """Handle one request."""
        async with self._news:
            headers = {name.lower(): value for name, value in request.headers.items()}
            self.received.append(Received(headers, await request.read()))
            self._news.notify_all()
        return web.Response(status=self.status, body=self.answer)

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait until a condition is true that can change only when a request arrives."""
        async with self._news, asyncio.timeout(LONG):
            await self._news.wait_for(what)


@asynccontextmanager
async def receiving() -> AsyncIterator[Sink]:
    """Let a receiver listen on the loopback interface within the block."""
    sink, app = Sink(), web.Application()
    app.router.add_post("/{rest:.*}", sink.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        sink.url = f"http://127.0.0.1:{runner.addresses[0][1]}/topic"
        yield sink
    finally:
        await runner.cleanup()
