"""The webhook endpoints for the measurements, all in one process. The path determines how an endpoint responds.

`/well/7` responds with 200, `/fail/7` responds with 500, and `/hang/7` never responds. Every endpoint responds to a
ping with its challenge. `GET /` returns the deliveries that arrived since the last such request.

`python -m benchmarks.sink` runs the endpoints on HOST and PORT.
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
"""The number of connections that may wait to be accepted. Clients should wait for responses, not for connections."""


class Arrival(NamedTuple):
    """A delivery that has arrived. `at` is in seconds of the monotonic clock, which all processes share.

    `endpoint` is the kind of endpoint. `message` is the `webhook-id`. `sequence` is 1 for a webhook's first delivery
    about a game.
    """

    at: float
    endpoint: str
    message: str
    game: str
    version: int
    sequence: int


class Sink:
    """Receives deliveries, and keeps them until they are requested."""

    def __init__(self) -> None:
        """Start without deliveries."""
        self._arrivals: list[Arrival] = []

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """Respond as the path determines."""
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
