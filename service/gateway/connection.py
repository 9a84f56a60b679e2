"""A connection: HTTP/1.1 through aiohttp, protected against clients that are slow, silent or disconnected."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage, LineTooLong
from aiohttp.web_protocol import RequestHandler, RequestPayloadError
from multidict import CIMultiDict

from ..api.bodies import LARGEST_BODY, largest_body
from ..metrics.table import CONNECTIONS
from ..parking import StreamBody
from .crowd import Crowd
from .refusals import LONGEST_ADDRESS, LONGEST_HEADER, MOST_HEADERS, Refused, raw_refusal, refusal

KEEP_ALIVE = 75.0
"""Seconds after which an idle connection is closed. Proxies usually close their idle connections earlier, after a
minute."""
HEAD_SECONDS = BODY_SECONDS = 10.0
"""The maximum number of seconds that the request line and headers may take to arrive, and then the body."""
SEND_SECONDS = 30.0
"""Seconds after which the connection is closed if the client reads nothing or its machine does not answer."""
TICK = 0.25
"""The time of each heartbeat is rounded down to a multiple of this number of seconds, so that the loop wakes up once
for many heartbeats."""
STOPPING_SECONDS = 0.5
"""The maximum number of seconds for the rest of a body to arrive when the server stops."""
LINGER_SECONDS = 2.0
"""Seconds for which the rest of a refused request is read and discarded (see `Connection.linger`)."""
PIECE = 64 * 1024
"""The number of bytes in a piece of a long response. The client must read each piece within `SEND_SECONDS`."""
AT_ONCE = 32 * 1024
"""The maximum number of bytes that are written without waiting if the write buffer is empty. This must be less than
asyncio's high-water mark."""
STEPS = 8
"""The handler of a request that has arrived begins within this number of loop iterations."""

_logger = logging.getLogger(__name__)


class Connection(RequestHandler):
    """One connection, whose requests are handled in sequence."""

    __slots__ = (
        "_body", "_busy", "_client_end", "_crowd", "_early", "_ended", "_parked", "_refusing", "_socket", "_stopping",
        "_timer"
    )  # fmt: skip

    def __init__(self, crowd: Crowd, *args: Any, **options: Any) -> None:
        """Create a connection that has received no input yet.

        `crowd` holds the process's open connections. The other arguments are passed to aiohttp.
        """
        options |= {"max_line_size": LONGEST_ADDRESS, "max_field_size": LONGEST_HEADER, "max_headers": MOST_HEADERS}
        options |= {"keepalive_timeout": KEEP_ALIVE, "lingering_time": 0, "auto_decompress": False, "access_log": None}
        super().__init__(*args, **options)
        self._crowd = crowd
        self._socket: asyncio.Transport | None = None
        self._busy = self._early = self._ended = self._parked = self._refusing = self._stopping = False
        self._body: asyncio.Timeout | None = None
        self._client_end: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    # Called by the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the connection.

        From now on, a write fails after `SEND_SECONDS` if the client is gone or does not read.
        """
        connection = transport.get_extra_info("socket")
        if hasattr(socket, "TCP_USER_TIMEOUT") and connection.family != socket.AF_UNIX:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * SEND_SECONDS))
        super().connection_made(transport)
        if self.transport is not None:
            self._socket = self.transport
            is_welcome = self._crowd.add(self.transport)
            CONNECTIONS.set(len(self._crowd))
            if not is_welcome:
                self._refuse("too-many-connections")

    def data_received(self, data: bytes) -> None:
        """Read data. The head of a new request must arrive within `HEAD_SECONDS`."""
        if self._refusing:
            return
        if self._busy:
            self._early = self._early or self._body is None
        elif self._timer is None:
            self._timer = self._loop.call_later(HEAD_SECONDS, self._give_up)
        try:
            super().data_received(data)
        except Exception:
            # aiohttp does not handle every error that parsing a URL can raise.
            self._refuse_unreadable()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Record that the client will send nothing more.

        The current request still gets its response, unless the request is parked.
        """
        self._ended = True
        if self._parked:
            return False
        if self._client_end is not None and not self._client_end.done():
            self._client_end.set_result(None)
        if self._body is not None:
            self._body.reschedule(self._loop.time())
        if not self._busy:
            self._close_if_idle(STEPS)
        return True

    def connection_lost(self, error: BaseException | None) -> None:
        """End the connection, and cancel the request that is being handled."""
        self._stop_timer()
        if self._socket is not None:
            self._crowd.remove(self._socket)
            CONNECTIONS.set(len(self._crowd))
            self._socket = None
        if self._client_end is not None and not self._client_end.done():
            self._client_end.set_result(None)
        super().connection_lost(error)

    # Called by the handler of a request

    def begin(self) -> None:
        """Record that the head of a request has arrived, and that its handling has begun.

        Raises: ConnectionResetError if the server closed the connection after the request had arrived.
        """
        if self.is_gone:
            raise ConnectionResetError("the connection was closed before the request began")
        self._busy, self._early = True, False
        self._stop_timer()

    def finish(self) -> None:
        """Record that the response to the current request has been sent."""
        self._busy = False
        if self._stopping:
            self.close()
        elif self._ended:
            self._close_if_idle(STEPS)
        elif self._early and not self.is_gone:
            # The bytes that arrived early may be only part of a head.
            self._timer = self._loop.call_later(HEAD_SECONDS, self._give_up)

    def stop(self) -> None:
        """Close the connection, but first finish the current request, if there is one."""
        self._stopping = True
        if not self._busy:
            self.force_close()
        elif self._body is not None:
            self._body.reschedule(self._loop.time() + STOPPING_SECONDS)
        elif self._client_end is not None and not self._client_end.done():
            self._client_end.set_result(None)

    async def read_body(self, request: web.BaseRequest) -> bytes:
        """Return the body of a request. Raises: Refused (body-too-large, request-timeout, unreadable-request, ...)."""
        declared, most = request.content_length, largest_body(request.path)
        if declared is not None and declared > most:
            raise Refused("body-too-large" if most == LARGEST_BODY else "record-too-large")
        self._check_expectation(request)
        if not request.body_exists:
            return b""
        if request.content.is_eof() and request.content.exception() is None:
            return self._check_size(request.content.read_nowait(), most=most)
        if most > LARGEST_BODY:
            with self._crowd.large_body() as is_welcome:
                if not is_welcome:
                    raise Refused("verifier-busy")
                return await self._read_slowly(request, most)
        return await self._read_slowly(request, most)

    async def _read_slowly(self, request: web.BaseRequest, most: int) -> bytes:
        """Wait until the rest of a body (no more than `most` bytes in total) has arrived, and return the body.

        Raises: Refused.
        """
        read = bytearray()
        try:
            patience = 0 if self._ended else STOPPING_SECONDS if self._stopping else BODY_SECONDS
            async with asyncio.timeout(patience) as self._body:
                while not request.content.at_eof():
                    read += self._check_size(await request.content.readany(), len(read), most)
        except TimeoutError:
            raise Refused("unreadable-request" if self._ended else "request-timeout") from None
        except (RequestPayloadError, BadHttpMessage):
            raise Refused("unreadable-request") from None
        finally:
            self._body = None
        return bytes(read)

    @asynccontextmanager
    async def parked(self) -> AsyncIterator[None]:
        """Treat the request as parked while the block runs.

        If the client disconnects during the block, the request is cancelled. Raises: ConnectionResetError if the client
        has already closed its side of the connection.
        """
        if self._ended:
            raise ConnectionResetError("the client no longer waits for the response")
        self._parked = True
        try:
            yield
        finally:
            self._parked = False

    @contextmanager
    def heartbeats(self, response: web.StreamResponse, body: StreamBody) -> Iterator[None]:
        """Send a stream's heartbeats while the block waits.

        If the client does not read the heartbeats, close the connection.
        """
        # Do not use `response.chunked` here: aiohttp leaves it False when it chunks a response of unknown length.
        is_chunked = "Transfer-Encoding" in response.headers
        heartbeat = b"%x\r\n%b\r\n" % (len(body.heartbeat), body.heartbeat) if is_chunked else body.heartbeat
        timer = self._call_at_tick(body.pause, lambda: send())
        last_read = self._loop.time()

        def send() -> None:
            nonlocal timer, last_read
            if self.transport is None:
                return
            timer = self._call_at_tick(body.pause, send)
            if self._buffer_is_empty():
                self.transport.write(heartbeat)
                last_read = self._loop.time()
            elif self._loop.time() - last_read > SEND_SECONDS:
                self.transport.abort()

        try:
            yield
        finally:
            timer.cancel()

    def _call_at_tick(self, seconds: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call a function after `seconds`, or up to `TICK` seconds earlier.

        Functions that are due at about the same time are therefore called in one iteration of the loop.
        """
        due = self._loop.time() + seconds
        return self._loop.call_at(due - due % TICK, callback)

    async def answer(
        self, request: web.BaseRequest, status: int, headers: CIMultiDict[str], body: bytes
    ) -> web.StreamResponse:
        """Send a response that is not a stream. Raises: ConnectionError if the client does not read the response."""
        if len(body) <= AT_ONCE and request.method != "HEAD" and self._buffer_is_empty():
            complete = web.Response(body=body, status=status, headers=headers)
            self._close_after(complete)
            await complete.prepare(request)
            await complete.write_eof()
            return complete
        response = web.StreamResponse(status=status, headers=headers)
        self._close_after(response)
        if request.method != "HEAD":
            response.content_length = len(body)
        async with self.sending():
            await response.prepare(request)
        await self.write(response, body)
        async with self.sending():
            await response.write_eof()
        return response

    async def write(self, response: web.StreamResponse, data: bytes) -> None:
        """Send the next part of a response. Raises: ConnectionError if the client does not read the part."""
        if len(data) <= AT_ONCE and self._buffer_is_empty():
            await response.write(data)
            return
        for offset in range(0, len(data), PIECE):
            async with self.sending():
                await response.write(data[offset : offset + PIECE])

    @asynccontextmanager
    async def sending(self) -> AsyncIterator[None]:
        """Close the connection if the block, which sends data, takes longer than `SEND_SECONDS`.

        Raises: ConnectionResetError.
        """
        try:
            async with asyncio.timeout(SEND_SECONDS):
                yield
        except TimeoutError:
            if self.transport is not None:
                self.transport.abort()
            raise ConnectionResetError("the client does not read the response") from None

    async def refuse(self, request: web.BaseRequest, response: web.Response) -> web.StreamResponse:
        """Send the response that refuses a request. The connection does not handle any more requests."""
        async with self.sending():
            await response.prepare(request)
            await response.write_eof()
        await self.linger()
        return response

    async def linger(self) -> None:
        """Discard further input until the client closes its side or `LINGER_SECONDS` have passed.

        If the server closed the connection while input was still unread, TCP would reset the connection, and the client
        could lose the response.
        """
        self._refusing = True
        if self.transport is None or self._ended or self._stopping:
            return
        self._client_end = self._loop.create_future()
        with contextlib.suppress(OSError, RuntimeError):
            self.transport.write_eof()
            self.transport.resume_reading()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                await self._client_end

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002
    ) -> web.StreamResponse:
        """Return the problem response for a request that the gateway itself cannot handle.

        Input that cannot be parsed as a request gets an HTTP/1.1 response, even if the input names another version of
        HTTP. The connection is then closed. Raises: ConnectionError if the connection is closed, or must be closed
        without another response.
        """
        if isinstance(exc, ConnectionError):
            raise exc
        if status < 500:
            raise self.refuse_raw(_code(exc))
        _logger.error("cannot handle a request", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionResetError("a response has already begun")
        return refusal("internal-error")

    def refuse_raw(self, code: str) -> ConnectionResetError:
        """Refuse the connection's current input, and return the error that closes the connection."""
        self._stop_timer()
        if self.transport is not None:
            self.transport.write(raw_refusal(code))
        return ConnectionResetError("the request is not valid")

    @property
    def is_gone(self) -> bool:
        """Whether the connection is closed."""
        return self.transport is None

    @staticmethod
    def _check_size(data: bytes, before: int = 0, most: int = LARGEST_BODY) -> bytes:
        """Return a part of a body unchanged, or raise an exception if the body is too large.

        `before` is the number of bytes before this part, and `most` is the maximum number of bytes in the body. Raises:
        Refused (body-too-large, record-too-large).
        """
        if before + len(data) > most:
            raise Refused("body-too-large" if most == LARGEST_BODY else "record-too-large")
        return data

    def _close_after(self, response: web.StreamResponse) -> None:
        """If the server is stopping, mark a response as the last on its connection."""
        if self._stopping:
            response.force_close()

    def _buffer_is_empty(self) -> bool:
        return self.transport is not None and not self.transport.get_write_buffer_size()

    def _check_expectation(self, request: web.BaseRequest) -> None:
        expected = request.headers.get("Expect", "").strip().lower()
        if expected not in ("", "100-continue"):
            raise Refused("expectation-failed")
        if expected and request.version >= (1, 1) and request.body_exists and self.transport is not None:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _give_up(self) -> None:
        """Refuse a request whose head does not arrive in time."""
        self._timer = None
        if not self._busy:
            self._refuse("request-timeout")

    def _refuse(self, code: str) -> None:
        """Refuse all input, and close the connection when the client has closed its side, or after `LINGER_SECONDS`."""
        if self.transport is not None:
            self._refusing = True
            self.transport.write(raw_refusal(code))
            self.transport.write_eof()
            self._timer = self._loop.call_later(LINGER_SECONDS, self.force_close)

    def _refuse_unreadable(self) -> None:
        """Refuse input that cannot be parsed. If a request is being handled, end the connection instead."""
        self._stop_timer()
        if not self._busy:
            self._refuse("unreadable-request")
        elif self.transport is not None:
            self.transport.abort()

    def _close_if_idle(self, steps: int) -> None:
        """Close the connection if no request begins within `steps` iterations of the loop."""
        if self._busy or self.transport is None:
            return
        if steps:
            self._loop.call_soon(self._close_if_idle, steps - 1)
        else:
            self.force_close()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _code(error: BaseException | None) -> str:
    """Return the problem code for an error that aiohttp found in a request."""
    if isinstance(error, LineTooLong):
        return "address-too-long" if error.args[1] == LONGEST_ADDRESS else "headers-too-large"
    if isinstance(error, BadHttpMessage) and error.message.startswith("Too many headers"):
        return "headers-too-large"
    return "unreadable-request"
