"""The server: takes connections, has each request called, parked and answered, and ends cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import signal
import socket
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NoReturn

import uvloop
from aiohttp import HttpVersion10, HttpVersion11, web

from ..parking import Parked, StreamBody, Wait
from ..store import Store
from ..store.waits import Places
from . import bridge
from .bridge import Answer, App, Environment
from .connection import Connection
from .lot import Lot
from .refusals import Refused

THREADS = 32
"""Requests that are called at once: they wait for the log server, not for clients."""
STOP_SECONDS = 5.0
"""How long clients may take to take what they are owed when the server ends, less than a supervisor waits."""
FLUSH_SECONDS = 0.01
"""Between two looks whether all connections have been closed, and have sent what was written."""
BACKLOG = 1024
"""Connections that may wait to be accepted."""
VERSIONS = (HttpVersion10, HttpVersion11)
SIGNALS = (signal.SIGTERM, signal.SIGINT)

_logger = logging.getLogger(__name__)


def new_loop() -> asyncio.AbstractEventLoop:
    """Return the loop that the gateway is to run in."""
    return uvloop.new_event_loop()


class RequestPlace:
    """Where one request may wait."""

    def __init__(self, places: Places) -> None:
        """Take the places of the process."""
        self.waited = 0.0
        self._wanted: Wait | None = None
        self._places = places
        self._with_token: bool | None = None
        self._ended = False
        self._lock = threading.Lock()

    def take(self, *, with_token: bool) -> None:
        """Take a place, unless this request has one, or has ended: its client is gone. Raises: TooManyWaits."""
        with self._lock:
            if self._with_token is None and not self._ended:
                self._places.take(with_token=with_token)
                self._with_token = with_token

    def park(self, wait: Wait) -> NoReturn:
        """Have the request made again. Raises: Parked."""
        self._wanted = wait
        raise Parked

    def wish(self) -> Wait | None:
        """Return what the request asked to be parked for since this was asked before, None where it did not."""
        wanted, self._wanted = self._wanted, None
        return wanted

    def give_back(self) -> None:
        """End, and let somebody else have the place, if one was taken."""
        with self._lock:
            self._ended = True
            if self._with_token is not None:
                self._places.give_back(with_token=self._with_token)
                self._with_token = None


class Gateway:
    """The app behind an event loop, and those who wait in it."""

    def __init__(self, app: App, lot: Lot, places: Places, most: int) -> None:
        """Take the app, where those who wait are parked, and how many connections there may be."""
        self._app = app
        self._lot = lot
        self._places = places
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self._server = web.Server(self._handle, handler_cancellation=True)
        self._open = set[asyncio.Transport]()
        self._most = most

    def connection(self) -> Connection:
        """Return what handles a new connection."""
        return Connection(self._open, self._most, self._server, loop=self._loop)

    async def stop(self) -> None:
        """Have everybody who waits answered, finish what has begun, and hang up."""
        deadline = self._loop.time() + STOP_SECONDS
        self._lot.close()
        for connection in self._server.connections:
            if isinstance(connection, Connection):
                connection.stop()
        while self._open and self._loop.time() < deadline:
            await asyncio.sleep(FLUSH_SECONDS)
        for transport in list(self._open):
            transport.abort()
        await self._server.shutdown(0)
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        connection = request.protocol
        assert isinstance(connection, Connection)
        place = RequestPlace(self._places)
        connection.begin()
        try:
            if request.version not in VERSIONS:
                raise connection.refused_raw("unreadable-request")
            body = await connection.read_body(request)
            since, answer = await self._called(connection, bridge.environment(request, body), body, place)
            _logger.debug("%s %s %d", request.method, request.raw_path.partition("?")[0], answer.status)
            if isinstance(answer.body, StreamBody):
                return await self._stream(connection, request, answer, answer.body, since)
            return await connection.answer(request, answer.status, answer.headers, answer.body)
        except Refused as refused:
            return await connection.refuse(request, refused.code)
        finally:
            place.give_back()
            connection.finish()

    async def _called(
        self, connection: Connection, environ: Environment, body: bytes, place: RequestPlace
    ) -> tuple[int, Answer]:
        """Return the answer to a request, and the moment before it was called; in between it may be parked."""
        began = self._loop.time()
        while True:
            since = self._lot.now
            answer = await self._loop.run_in_executor(self._pool, bridge.call, self._app, environ, body, place)
            wanted = place.wish()
            if wanted is None:
                return since, answer
            async with connection.parked():
                await self._lot.wait(wanted.topic, since, wanted.seconds)
            place.waited = math.inf if self._lot.closed else self._loop.time() - began

    async def _stream(
        self, connection: Connection, request: web.BaseRequest, answer: Answer, body: StreamBody, since: int
    ) -> web.StreamResponse:
        """Send a stream until it ends, its client is gone, or the server stops."""
        response = web.StreamResponse(status=answer.status, headers=answer.headers)
        try:
            async with connection.sending():
                await response.prepare(request)
            chunk = body.first()
            while True:
                if chunk.data or not chunk.last:
                    await connection.write(response, chunk.data or body.heartbeat)
                if chunk.last:
                    break
                if not chunk.more:
                    async with connection.parked():
                        with connection.beating(response, body):
                            await self._lot.wait(body.topic, since, position=body.position)
                    if self._lot.closed:
                        break
                since = self._lot.now
                chunk = await self._lot.tell(body)
            async with connection.sending():
                await response.write_eof()
        finally:
            body.close()
        return response


async def serve(app: App, listener: socket.socket, store: Store, most: int) -> None:
    """Answer requests that come to a socket until SIGTERM or SIGINT, over so many connections at most.

    The store says what goes on in games.
    """
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for signum in SIGNALS:
        loop.add_signal_handler(signum, stopped.set)
    lot = Lot(loop, store.positions, store.waits.recheck)
    lot.open()
    store.waits.subscribe(partial(_announce, lot))
    gateway = Gateway(app, lot, store.waits.places, most)
    server = await loop.create_server(gateway.connection, sock=listener, backlog=BACKLOG)
    await stopped.wait()
    server.close()
    await gateway.stop()


def _announce(lot: Lot, topics: Sequence[str] | None) -> None:
    """Wake those who wait, from the thread that listens; nobody waits any more where the loop has ended."""
    with contextlib.suppress(RuntimeError):
        lot.announce(topics)
