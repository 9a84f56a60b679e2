"""The endpoints for measuring webhooks, all in one process; the path selects how an endpoint answers.

`/well/7` answers with 200, `/fail/7` with 500, and `/hang/7` never; every ping is answered with its challenge. `GET /`
returns the deliveries since the last such request.

`python -m benchmarks.sink` runs it on HOST and PORT.
"""

from __future__ import annotations

import asyncio
import os
from time import monotonic
from typing import Any, NamedTuple

import orjson
from aiohttp import web

WELL, FAIL, HANG = "well", "fail", "hang"
BACKLOG = 1_024
"""Connections that may wait to be accepted: a crowd should wait for its answers, not for its connections."""


class Arrival(NamedTuple):
    """A delivery: its time by the monotonic clock that all processes share (s), the kind of endpoint, and its content.

    `message` is its `webhook-id`; `sequence` is 1 for the first delivery about a game to a webhook.
    """

    at: float
    endpoint: str
    message: str
    game: str
    version: int
    sequence: int


class Sink:
    """The deliveries that nobody has requested yet."""

    def __init__(self) -> None:
        """Start without deliveries."""
        self._arrivals: list[Arrival] = []

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """Answer as the path selects."""
        at = monotonic()
        if request.method == "GET":
            arrivals, self._arrivals = self._arrivals, []
            return web.Response(body=orjson.dumps(arrivals, default=tuple))
        endpoint = request.path.split("/")[1]
        data: dict[str, Any] = orjson.loads(await request.read())["data"]
        if "challenge" in data:
            return web.json_response({"challenge": data["challenge"]})
        what = (data["game"], data["version"], data["sequence"])
        self._arrivals.append(Arrival(at, endpoint, request.headers["webhook-id"], *what))
        if endpoint == HANG:
            await asyncio.get_running_loop().create_future()
        return web.Response(status=500 if endpoint == FAIL else 200)


async def _run(host: str, port: int) -> None:
    runner = web.ServerRunner(web.Server(Sink().answer, handler_cancellation=True))
    await runner.setup()
    await web.TCPSite(runner, host, port, backlog=BACKLOG).start()
    await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    asyncio.run(_run(os.environ["HOST"], int(os.environ["PORT"])))
