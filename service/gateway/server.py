"""The server: accepts connections, calls the app for each request, parks and answers requests, and stops cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import NoReturn
from urllib.parse import urlsplit

import uvloop
from aiohttp import HttpVersion10, HttpVersion11, web

from ..logs import HEADER, about, request_id
from ..metrics.table import WAITS
from ..parking import STARTED, Parked, StreamBody, Wait
from ..store import Store
from ..store.waits import Places
from . import bridge
from .bridge import Answer, App, Environment
from .connection import Connection
from .refusals import Refused, refusal
from .waiters import Waiters

THREADS = 32
"""The number of requests that run at once: they wait for the log server, not for clients."""
STOP_SECONDS = 5.0
"""How long clients may take to read their answers when the server stops; less than a supervisor waits."""
FLUSH_SECONDS = 0.01
"""Seconds between two checks whether all connections are closed and have sent their data."""
BACKLOG = 1024
"""Connections that may wait to be accepted."""
VERSIONS = (HttpVersion10, HttpVersion11)
SIGNALS = (signal.SIGTERM, signal.SIGINT)

_logger = logging.getLogger(__name__)


def new_loop() -> asyncio.AbstractEventLoop:
    """Return the loop in which the gateway runs."""
    return uvloop.new_event_loop()


class RequestPlace:
    """The place in which one request may wait."""

    def __init__(self, places: Places) -> None:
        """Take the places of the process."""
        self.waited = 0.0
        self._wait: Wait | None = None
        self._places = places
        self._with_token: bool | None = None
        self._ended = False
        self._lock = threading.Lock()

    def take(self, *, with_token: bool) -> None:
        """Take a place, unless this request has one, or has ended because its client is gone. Raises: TooManyWaits."""
        with self._lock:
            if self._with_token is None and not self._ended:
                self._places.take(with_token=with_token)
                self._with_token = with_token

    def park(self, wait: Wait) -> NoReturn:
        """Stop this call and have the request called again later. Raises: Parked."""
        self._wait = wait
        raise Parked

    def take_wait(self) -> Wait | None:
        """Return what the request asked to be parked for since the last call, None if it did not ask."""
        wait, self._wait = self._wait, None
        return wait

    def give_back(self) -> None:
        """End the request's wait, and free its place if it has one."""
        with self._lock:
            self._ended = True
            if self._with_token is not None:
                self._places.give_back(with_token=self._with_token)
                self._with_token = None


class Gateway:
    """The app behind an event loop, and the requests that wait in the loop."""

    def __init__(
        self, app: App, waiters: Waiters, places: Places, max_connections: int, *, access_log: bool = False
    ) -> None:
        """Take the app, the waiters, the places, and the maximum number of connections.

        With `access_log`, each request is logged at level `info` instead of `debug`.
        """
        self._app = app
        self._waiters = waiters
        self._places = places
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="request")
        self._server = web.Server(self._handle, handler_cancellation=True)
        self._open = set[asyncio.Transport]()
        self._max_connections = max_connections
        self._access_level = logging.INFO if access_log else logging.DEBUG

    def connection(self) -> Connection:
        """Return the handler of a new connection."""
        return Connection(self._open, self._max_connections, self._server, loop=self._loop)

    async def stop(self) -> None:
        """Answer all parked requests, finish those that have begun, and close the connections."""
        deadline = self._loop.time() + STOP_SECONDS
        self._waiters.close()
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
        header = request.headers.get
        name = request_id(header(HEADER), header("Authorization"))
        try:
            return await self._answer(connection, request, name)
        except ConnectionError:
            raise
        except Exception as error:
            with about(request=name):
                return connection.handle_error(request, exc=error)

    async def _answer(self, connection: Connection, request: web.BaseRequest, name: str) -> web.StreamResponse:
        """Answer a request, which has this id."""
        start = self._loop.time()
        place = RequestPlace(self._places)
        connection.begin()
        try:
            if request.version not in VERSIONS:
                with about(request=name):
                    raise connection.refuse_raw("unreadable-request")
            body = await connection.read_body(request)
            environ = bridge.environment(request, body)
            environ["HTTP_X_REQUEST_ID"] = name
            since, answer = await self._call(connection, environ, body, place)
            self._log_access(request, name, answer.status, start)
            if isinstance(answer.body, StreamBody):
                with _counted_as("stream"):
                    return await self._stream(connection, request, answer, answer.body, since)
            return await connection.answer(request, answer.status, answer.headers, answer.body)
        except Refused as refused:
            with about(request=name):
                response = refusal(refused.code)
            self._log_access(request, name, response.status, start)
            return await connection.refuse(request, response)
        finally:
            place.give_back()
            connection.finish()

    def _log_access(self, request: web.BaseRequest, name: str, status: int, start: float) -> None:
        """Log a request with this id that began at `start`, without its query."""
        if not _logger.isEnabledFor(self._access_level):
            return
        target = request.raw_path.partition("?")[0]
        path = target if target.startswith("/") else urlsplit(target).path
        ms = round(1000 * (self._loop.time() - start), 1)
        members = {"method": request.method, "path": path, "status": status, "ms": ms}
        with about(request=name):
            _logger.log(self._access_level, "%s %s %d, %.1f ms", *members.values(), extra=members)

    async def _call(
        self, connection: Connection, environ: Environment, body: bytes, place: RequestPlace
    ) -> tuple[int, Answer]:
        """Return the answer to a request, and the moment before the app was called; it may be parked in between."""
        start = self._loop.time()
        while True:
            since = self._waiters.now
            environ[STARTED] = time.perf_counter()
            answer = await self._loop.run_in_executor(self._pool, bridge.call, self._app, environ, body, place)
            wait = place.take_wait()
            if wait is None:
                return since, answer
            with _counted_as("poll"):
                async with connection.parked():
                    await self._waiters.wait(wait.topic, since, wait.seconds)
            place.waited = math.inf if self._waiters.closed else self._loop.time() - start

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
                        with connection.heartbeats(response, body):
                            await self._waiters.wait(body.topic, since, position=body.position)
                    if self._waiters.closed:
                        break
                since = self._waiters.now
                chunk = await self._waiters.next_chunk(body)
            async with connection.sending():
                await response.write_eof()
        finally:
            body.close()
        return response


async def serve(
    app: App, listener: socket.socket, store: Store, max_connections: int, *, access_log: bool = False
) -> None:
    """Answer requests that arrive at a socket until SIGTERM or SIGINT, over at most `max_connections` connections.

    The store announces the commits of games. `access_log` is as for `Gateway`.
    """
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for signum in SIGNALS:
        loop.add_signal_handler(signum, stopped.set)
    waiters = Waiters(loop, store.positions, store.waits.recheck)
    waiters.open()
    store.waits.subscribe(partial(_announce, waiters))
    gateway = Gateway(app, waiters, store.waits.places, max_connections, access_log=access_log)
    server = await loop.create_server(gateway.connection, sock=listener, backlog=BACKLOG)
    await stopped.wait()
    server.close()
    await gateway.stop()


@contextmanager
def _counted_as(kind: str) -> Iterator[None]:
    """Count a request among those that wait within the block."""
    WAITS.add(1, kind)
    try:
        yield
    finally:
        WAITS.add(-1, kind)


def _announce(waiters: Waiters, topics: Sequence[str] | None) -> None:
    """Wake waiters from the thread that listens; does nothing once the loop has ended."""
    with contextlib.suppress(RuntimeError):
        waiters.announce(topics)
