"""Interrupts: lets another thread end a request whose time has run out or whose response is no longer needed.

The timeouts of the `requests` library limit only how long the server may stay silent. A server that sends an occasional
byte could therefore block a request indefinitely. An interrupt shuts down the request's socket, which ends the request.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import Event, Lock, Timer, local
from typing import Any, Self

from requests.adapters import HTTPAdapter


class _Thread(local):
    """The interrupts that apply to a thread's requests."""

    def __init__(self) -> None:
        self.interrupts: list[Interrupt] = []


_thread = _Thread()


class Interrupt:
    """Ends the requests that a thread sends inside a `with` block.

    When the interrupt is fired, the current request and all later requests fail as if the connection had been lost.
    """

    def __init__(self) -> None:
        self._fired = Event()
        self._lock = Lock()
        self._socket: socket.socket | None = None

    @property
    def fired(self) -> bool:
        """Whether the interrupt was fired."""
        return self._fired.is_set()

    def fire(self) -> None:
        """End the requests that run inside the block. Any thread may call this method."""
        with self._lock:
            self._fired.set()
            self._shut()

    def wait(self, seconds: float) -> None:
        """Wait for this number of seconds, or until the interrupt is fired."""
        self._fired.wait(seconds)

    def note(self, used: socket.socket) -> None:
        """Remember the socket of the current request."""
        with self._lock:
            self._socket = used
            if self.fired:
                self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        """From now on, apply this interrupt to this thread's requests."""
        _thread.interrupts.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop applying this interrupt, because the socket may now serve another request."""
        _thread.interrupts.remove(self)
        with self._lock:
            self._socket = None


@contextmanager
def deadline(seconds: float) -> Iterator[Interrupt]:
    """End the request inside the block if it is still running after this number of seconds."""
    interrupt = Interrupt()
    timer = Timer(seconds, interrupt.fire)
    timer.daemon = True
    timer.start()
    try:
        with interrupt:
            yield interrupt
    finally:
        timer.cancel()


class Adapter(HTTPAdapter):
    """Sends the requests of a session, and lets interrupts end these requests."""

    def get_connection_with_tls_context(self, *args: Any, **options: Any) -> Any:
        """Return a pool whose connections report their sockets to the interrupts of the thread that uses them."""
        pool: Any = super().get_connection_with_tls_context(*args, **options)
        if "ConnectionCls" not in vars(pool):
            vars(pool)["ConnectionCls"] = _noting(pool.ConnectionCls)
        return pool


@cache
def _noting(connection: Any) -> Any:
    """Return a connection class that reports the socket of each request to the thread's interrupts."""

    class Noting(connection):  # type: ignore[misc]
        def connect(self) -> None:
            super().connect()
            self._note()

        def request(self, *args: Any, **options: Any) -> None:
            if self.sock is not None:
                self._note()
            super().request(*args, **options)

        def _note(self) -> None:
            for interrupt in _thread.interrupts:
                interrupt.note(self.sock)

    return Noting
