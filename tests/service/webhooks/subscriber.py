"""Subscribers with an endpoint each, and a deliverer that sends to them, all in one event loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from ipaddress import ip_network
from typing import Any

from aiohttp import web
from standardwebhooks import Webhook as Verifier

from service.config import Config
from service.games.repository import Games
from service.hints.queue import Hints
from service.processes.deliver import deliver
from service.store import Store

from ..api.answers import hold_told_against_the_description

LOOPBACK = (ip_network("127.0.0.0/8"),)
LONG = 20.0
"""Seconds; nothing here takes this long."""

Json = dict[str, Any]
Answer = Callable[[Json], "web.Response | Awaitable[web.Response]"]


def answered(body: Any = None, status: int = 200, **headers: str) -> web.Response:
    """Return a response; in the names of `headers`, _ stands for -."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is None:
        return web.Response(status=status, headers=named)
    return web.json_response(body, status=status, headers=named)


def taken(event: Json) -> web.Response:
    """Respond to a ping with its challenge, and accept everything else."""
    return answered({"challenge": event["data"]["challenge"]} if event["type"] == "ping" else None)


def taken_after(release: asyncio.Event) -> Answer:
    """Return a function that responds to a ping immediately, and to everything else as soon as an event is set."""

    async def take(event: Json) -> web.Response:
        if event["type"] != "ping":
            await release.wait()
        return taken(event)

    return take


class Subscriber:
    """A player's endpoint: it verifies deliveries, remembers them, and responds as the test says."""

    def __init__(self, secret: str, answer: Answer = taken) -> None:
        """Store the secret, and the function that responds to events."""
        self.secret = secret
        self.answer = answer
        self.seen: list[Json] = []
        self.ids: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""
        self.open = self.most_open = 0
        self._news = asyncio.Condition()

    async def handle(self, request: web.Request) -> web.Response:
        """Handle one delivery."""
        event = Verifier(self.secret).verify(await request.read(), dict(request.headers))
        hold_told_against_the_description(event)
        async with self._news:
            self.seen.append(event)
            self.ids.append(request.headers["webhook-id"])
            self.headers.append(dict(request.headers))
            self.open += 1
            self.most_open = max(self.most_open, self.open)
            self._news.notify_all()
        try:
            given = self.answer(event)
            return given if isinstance(given, web.Response) else await given
        finally:
            self.open -= 1

    def told(self, *types: str) -> list[Json]:
        """Return the data of received deliveries with these types."""
        return [event["data"] for event in self.seen if event["type"] in types]

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait until a condition is true that can change only when a delivery arrives."""
        async with self._news, asyncio.timeout(LONG):
            await self._news.wait_for(what)


@asynccontextmanager
async def listening(*endpoints: Subscriber) -> AsyncIterator[None]:
    """Let endpoints listen on the loopback interface within the block."""
    app = web.Application()
    for number, endpoint in enumerate(endpoints):
        app.router.add_post(f"/{number}", endpoint.handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        for number, endpoint in enumerate(endpoints):
            endpoint.url = f"http://127.0.0.1:{port}/{number}"
        yield
    finally:
        await runner.cleanup()


@asynccontextmanager
async def delivering(url: str) -> AsyncIterator[asyncio.Task[None]]:
    """Run a deliverer on a store within the block."""
    config = Config(redis_url=url, queue_url=url, webhook_networks=LOOPBACK)
    games = Games(Store(config), Hints(config), networks=LOOPBACK)
    stop = asyncio.Event()
    task = asyncio.create_task(deliver(games, stop))
    try:
        yield task
    finally:
        stop.set()
        await asyncio.wait([task], timeout=LONG)
        games.store.close()
        games.hints.close()
    if not task.cancelled():
        task.result()


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a test's coroutine."""
    asyncio.run(asyncio.wait_for(coroutine, 3 * LONG))


async def eventually(what: Callable[[], bool]) -> None:
    """Poll until a condition in the store is true, for events that send no notification."""
    async with asyncio.timeout(LONG):
        while not await asyncio.to_thread(what):
            await asyncio.sleep(0.02)


def parsed(body: bytes) -> Json:
    """Return a JSON object."""
    value: Json = json.loads(body)
    return value
