"""The endpoints of the measurement of webhooks, all of them in one process: how one answers stands in its path.

`/well/7` answers with 200, `/fail/7` with 500, and `/hang/7` never; every ping is answered with its challenge. `GET /`
tells what has come since the last.

`python -m benchmarks.sink` runs it, at HOST and PORT.
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
    """A delivery that came: when, by the monotonic clock that all processes share (s), how the endpoint is, and what.

    `message` is its `webhook-id`; `sequence` is 1 for the first delivery that a webhook gets about a game.
    """

    at: float
    endpoint: str
    message: str
    game: str
    version: int
    sequence: int


class Sink:
    """What has come, and nobody has asked for yet."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._arrivals: list[Arrival] = []

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """Answer as the path says."""
        at = monotonic()
        if request.method == "GET":
            told, self._arrivals = self._arrivals, []
            return web.Response(body=orjson.dumps(told, default=tuple))
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
