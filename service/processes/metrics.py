"""Metrics: a child process of `web` serves the metrics of all processes over HTTP."""

from __future__ import annotations

import asyncio
import socket
from contextlib import closing

from aiohttp import web

from ..config import Config
from ..games.repository import Games
from ..gateway.refusals import SERVER
from ..hints.queue import Hints
from ..metrics.text import CONTENT_TYPE
from ..store import Store
from ..views.metrics import metrics_text

STOP_SECONDS = 1.0
"""The maximum number of seconds for the last responses when the process stops."""

HEADERS = {"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store", "Server": SERVER}


def serve_metrics(config: Config, listener: socket.socket) -> None:
    """Serve `GET /metrics` requests on a socket until SIGTERM or SIGINT, one request at a time."""
    store, hints = Store(config), Hints(config)
    with closing(store), closing(hints):
        games, turn = Games(store, hints), asyncio.Lock()

        async def answer(_: web.Request) -> web.Response:
            async with turn:
                text = await asyncio.to_thread(metrics_text, games)
            return web.Response(body=text, headers=HEADERS)

        app = web.Application()
        app.router.add_get("/metrics", answer)
        web.run_app(app, sock=listener, print=None, access_log=None, shutdown_timeout=STOP_SECONDS)
