"""The server: accepts connections, calls the app for each request, parks waiting requests, and stops cleanly."""

from __future__ import annotations

import asyncio
import logging
import math
import signal
import socket
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NoReturn

import uvloop
from aiohttp import HttpVersion10, HttpVersion11, web
from multidict import CIMultiDict

from ..config import Config
from ..limits.addresses import Clients
from ..logs import HEADER, about, request_id
from ..metrics.table import WAITS
from ..parking import KNOWN_PLAYER, STARTED, Parked, StreamBody, Wait
from ..problems import Problem
from ..store import Store
from ..store.waits import Places
from . import bridge, crowd
from .bridge import Answer, App, Environment
from .connection import Connection
from .crowd import Crowd
from .guard import PATIENCE, Caller, Guard
from .refusals import DELAY, RATE_LIMITED, Refused, rate_limited, refusal
from .shares import Shares
from .threads import Threads
from .turns import THREADS, Turn, Turns
from .usage import Usage
from .verifying import Verifier
from .waiters import Waiters

OF_BUSY_CALLERS = 0.1
"""The share of a core that all busy callers of a process together may use while other callers send requests."""
OTHERS_SECONDS = 1.0
"""Seconds for which busy callers are slowed down after the last request of a caller who is not busy."""
MOST_DELAYED = 5000
"""The maximum number of refusals that are delayed at the same time. Further refusals are sent immediately, and their
connections are closed."""
STOP_SECONDS = 5.0
"""The maximum number of seconds that a stopping server gives clients to read their responses. A supervisor waits longer
than this for the process to end."""
FLUSH_SECONDS = 0.01
"""The interval, in seconds, at which a stopping server checks whether all connections are closed."""
BACKLOG = 1024
"""The maximum number of connections that wait to be accepted."""
UNAUTHORIZED, TOO_MANY_REQUESTS = 401, 429
VERSIONS = (HttpVersion10, HttpVersion11)
SIGNALS = (signal.SIGTERM, signal.SIGINT)

_logger = logging.getLogger(__name__)


def new_loop() -> asyncio.AbstractEventLoop:
    """Return the loop in which the gateway runs."""
    return uvloop.new_event_loop()


class RequestPlace:
    """A place that a request takes while it waits. A process has a limited number of places for waiting requests."""

    def __init__(self, places: Places, shares: Shares | None, network: str) -> None:
        """Create a place for a request from this network. The request does not take the place yet.

        If `shares` is None, each caller may have any number of the process's places.
        """
        self.waited = 0.0
        self.start: str | None = None
        self._shares = shares
        self._network = network
        self._wait: Wait | None = None
        self._places = places
        self._player: str | None = None
        self._is_taken = False
        self._ended = False
        self._lock = threading.Lock()

    def take(self, player: str | None) -> None:
        """Take a place, unless this request already has a place, or has ended because its client has disconnected.

        Raises: TooManyWaits, Problem (too-many-own-waits).
        """
        with self._lock:
            if not self._is_taken and not self._ended:
                self._places.take(with_token=player is not None)
                if self._shares is not None:
                    try:
                        self._shares.take(self._network, player)
                    except Problem:
                        self._places.give_back(with_token=player is not None)
                        raise
                self._player, self._is_taken = player, True

    def park(self, wait: Wait) -> NoReturn:
        """End the current call to the app. The server will call the app again for this request. Raises: Parked."""
        self._wait = wait
        raise Parked

    def take_wait(self) -> Wait | None:
        """Return what the request waits for, or None if it has not been parked since the last call of `take_wait`."""
        wait, self._wait = self._wait, None
        return wait

    def give_back(self) -> None:
        """End the request's wait, and free its place if it has one."""
        with self._lock:
            self._ended = True
            if self._is_taken:
                self._places.give_back(with_token=self._player is not None)
                if self._shares is not None:
                    self._shares.give_back(self._network, self._player)
                self._is_taken = False


class Gateway:
    """Runs the app behind an event loop. While a request waits, it stays in the loop and does not occupy a thread."""

    def __init__(self, app: App, waiters: Waiters, store: Store, config: Config, max_connections: int) -> None:
        """Serve `app`. `max_connections` is the maximum number of open connections."""
        self._app = app
        self._waiters = waiters
        self._places = store.waits.places
        self._clients = Clients(config.trusted_proxies, warns=config.limits)
        self._guard = Guard() if config.limits else None
        self._usage = Usage()
        self._verifier = Verifier(partial(_players_of, store))
        self._shares = Shares(config.max_waits_per_player, config.max_waits_per_address) if config.limits else None
        self._turns = _turns(self._usage, limited=config.limits)
        self._delayed = 0
        self._others_until = 0.0
        self._loop = asyncio.get_running_loop()
        self._threads = Threads(self._loop)
        self._server = web.Server(self._handle, handler_cancellation=True)
        self._crowd = Crowd(max_connections, crowd.OF_ONE_ADDRESS if config.limits else None, config.trusted_proxies)
        self._access_level = logging.INFO if config.access_log else logging.DEBUG

    def connection(self) -> Connection:
        """Return the handler for a new connection."""
        return Connection(self._crowd, self._server, loop=self._loop)

    async def stop(self) -> None:
        """Respond to all parked requests, finish the requests that have begun, and close the connections."""
        deadline = self._loop.time() + STOP_SECONDS
        self._waiters.close()
        for connection in self._server.connections:
            if isinstance(connection, Connection):
                connection.stop()
        while self._crowd and self._loop.time() < deadline:
            await asyncio.sleep(FLUSH_SECONDS)
        for transport in list(self._crowd):
            transport.abort()
        await self._server.shutdown(0)
        self._threads.close()

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
        """Handle a request, and send its response. `name` is the request's id."""
        # The loop's clock has a resolution of 1 ms, and stands still while a callback runs.
        start = time.perf_counter()
        place: RequestPlace | None = None
        connection.begin()
        try:
            if request.version not in VERSIONS:
                with about(request=name):
                    raise connection.refuse_raw("unreadable-request")
            body = await connection.read_body(request)
            environ = bridge.environment(request, body, self._clients)
            environ["HTTP_X_REQUEST_ID"] = name
            caller = await self._admitted(environ)
            if caller is None:
                with about(request=name):
                    refused_answer = rate_limited()
                self._log_access(request, name, refused_answer[0], start)
                return await self._refuse(connection, request, name, refused_answer)
            place = RequestPlace(self._places, self._shares, caller.network)
            since, answer = await self._call(connection, environ, body, place, caller)
            self._log_access(request, name, answer.status, start)
            if isinstance(answer.body, StreamBody):
                with _counted_as("stream"):
                    return await self._stream(connection, request, answer, answer.body, since)
            if answer.status == TOO_MANY_REQUESTS and self._guard is not None:
                await self._delay(connection)
            return await connection.answer(request, answer.status, answer.headers, answer.body)
        except Refused as refused:
            with about(request=name):
                response = refusal(refused.code)
            self._log_access(request, name, response.status, start)
            return await connection.refuse(request, response)
        finally:
            if place is not None:
                place.give_back()
            connection.finish()

    def _log_access(self, request: web.BaseRequest, name: str, status: int, start: float) -> None:
        """Log a request, without its query. `name` is the request's id. `start` is a time of `perf_counter`."""
        if not _logger.isEnabledFor(self._access_level):
            return
        target = request.raw_path.partition("?")[0]
        path = target if target.startswith("/") else request.rel_url.raw_path
        ms = round(1000 * (time.perf_counter() - start), 1)
        members = {"method": request.method, "path": path, "status": status, "ms": ms}
        with about(request=name):
            _logger.log(self._access_level, "%s %s %d, %.1f ms", *members.values(), extra=members)

    async def _admitted(self, environ: Environment) -> Caller | None:
        """Return a request's caller, or None if the request must be refused.

        A request that comes too early waits here. If the player is known, the player's id is added to the environment.
        """
        network = environ[bridge.NETWORK]
        if self._guard is None:
            return Caller(network)
        caller = self._guard.caller(network, environ.get("HTTP_AUTHORIZATION"))
        is_unknown = bool(caller.token and not caller.player)
        wait = self._guard.admit(caller, 0.0 if is_unknown else PATIENCE)
        if wait is None and is_unknown:
            player = await self._verifier.player_of(network, caller.token)
            if player:
                self._guard.accept(caller.token, player)
                caller = caller._replace(player=player)
            wait = self._guard.admit(caller)
        if wait is None:
            return None
        if wait:
            await asyncio.sleep(wait)
        if caller.player:
            environ[KNOWN_PLAYER] = caller.player
        return caller

    async def _refuse(
        self, connection: Connection, request: web.BaseRequest, name: str, answer: tuple[int, CIMultiDict[str], bytes]
    ) -> web.StreamResponse:
        """After a delay, refuse a request from a caller who sends too many requests.

        If too many refusals are already being delayed, the request is refused immediately and the connection is closed.
        """
        if not await self._delay(connection):
            with about(request=name):
                response = refusal(RATE_LIMITED)
            return await connection.refuse(request, response)
        return await connection.answer(request, *answer)

    async def _delay(self, connection: Connection) -> bool:
        """Wait before a refusal is sent, and return True.

        If too many refusals are already waiting, return False immediately.
        """
        if self._delayed >= MOST_DELAYED:
            return False
        self._delayed += 1
        try:
            async with connection.parked():
                await asyncio.sleep(DELAY)
        finally:
            self._delayed -= 1
        return True

    async def _call(
        self, connection: Connection, environ: Environment, body: bytes, place: RequestPlace, caller: Caller
    ) -> tuple[int, Answer]:
        """Call the app repeatedly until it responds to a request instead of parking the request.

        Returns two values: the number of announcements (`Waiters.note`) just before the last call of the app, and the
        app's response.
        """
        start = self._loop.time()
        while True:
            since = self._waiters.note()
            busy = self._guard is not None and self._usage.is_busy(caller.key)
            if not busy:
                self._others_until = self._loop.time() + OTHERS_SECONDS
            turn = await self._turns.take(caller.network, caller.key, busy=busy)
            environ[STARTED] = time.perf_counter()
            called: asyncio.Future[Answer] = self._loop.create_future()
            # The thread keeps working even if its client has gone and this task is cancelled.
            self._threads.call(
                partial(bridge.call, self._app, environ, body, place), partial(self._end_call, called, caller, turn)
            )
            answer = await called
            self._note(caller, answer)
            wait = place.take_wait()
            if wait is None:
                return since, answer
            with _counted_as("poll"):
                async with connection.parked():
                    await self._waiters.wait(wait.topic, since, wait.seconds)
            place.waited = math.inf if self._waiters.closed else self._loop.time() - start

    def _end_call(
        self,
        called: asyncio.Future[Answer],
        caller: Caller,
        turn: Turn,
        answer: Answer | None,
        error: BaseException | None,
    ) -> None:
        """Pass on the app's response or error, charge the caller, and let other requests run.

        If the caller is busy and other callers are sending requests, the caller's turn ends only after a pause.
        """
        if not called.done():
            if answer is not None:
                called.set_result(answer)
            else:
                called.set_exception(error or AssertionError("a call must either return or raise"))
        cpu = 0.0 if answer is None else answer.cpu
        if self._guard is not None:
            self._guard.charge(caller, cpu)
            self._usage.add(caller.key, cpu)
        if turn.busy and self._loop.time() < self._others_until:
            self._turns.note_waiting(turn)
            self._loop.call_later(cpu / OF_BUSY_CALLERS - cpu, self._turns.give_back, turn)
        else:
            self._turns.give_back(turn)

    def _note(self, caller: Caller, answer: Answer) -> None:
        """Record whether the app has accepted the caller's token."""
        if self._guard is not None and caller.token:
            if answer.player is not None:
                self._guard.accept(caller.token, answer.player)
            elif answer.status == UNAUTHORIZED:
                self._guard.forget(caller.token)

    async def _stream(
        self, connection: Connection, request: web.BaseRequest, answer: Answer, body: StreamBody, since: int
    ) -> web.StreamResponse:
        """Send a stream until it ends, its client disconnects, or the server stops."""
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
                since = self._waiters.note()
                chunk = await self._waiters.next_chunk(body)
            async with connection.sending():
                await response.write_eof()
        finally:
            body.close()
        return response


async def serve(app: App, listener: socket.socket, store: Store, config: Config, max_connections: int) -> None:
    """Serve requests on a socket, over at most `max_connections` connections, until SIGTERM or SIGINT arrives.

    The store announces commits, and finds out which player a token belongs to.
    """
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for signum in SIGNALS:
        loop.add_signal_handler(signum, stopped.set)
    waiters = Waiters(loop, store.positions, store.waits.recheck)
    waiters.open()
    store.waits.subscribe(waiters.announce, waiters.announcements.reader)
    gateway = Gateway(app, waiters, store, config, max_connections)
    server = await loop.create_server(gateway.connection, sock=listener, backlog=BACKLOG)
    await stopped.wait()
    server.close()
    await gateway.stop()


def _turns(usage: Usage, *, limited: bool) -> Turns:
    """Return the object that decides which requests run.

    If `limited` is false, the only limit is the number of threads.
    """
    if not limited:
        return Turns(at_once=THREADS, of_one_address=THREADS, of_one=THREADS)
    return Turns(usage_of=usage.share)


@contextmanager
def _counted_as(kind: str) -> Iterator[None]:
    """Count a waiting request of this kind, `poll` or `stream`, while the block runs."""
    WAITS.add(1, kind)
    try:
        yield
    finally:
        WAITS.add(-1, kind)


def _players_of(store: Store, tokens: Collection[str]) -> dict[str, str]:
    """Return the id of each token's player. Tokens that belong to no player are left out. Takes one round trip."""
    return {token: player.id for token, player in store.players.authenticate_all(tokens).items()}
