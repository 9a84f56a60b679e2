"""Announcements: the event loop reads the announcements of commits, but only when a request needs them.

If a thread read each announcement on arrival, it would compete for the interpreter with the thread that made the
commit. The competition for the interpreter would cost a tenth of a move's CPU time. While no request is parked, the
loop therefore reads announcements only when a request begins or is about to be parked, and every few seconds. While a
request is parked, the loop reads each announcement on arrival.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from ..store.waits import Channel, Wait

DETACH_SECONDS = 1.0
"""The maximum number of seconds that the listener waits for a loop that may have ended."""


class Announcements:
    """The announcements that arrive in one process. All methods except `reader` are called in the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read the announcements in this event loop."""
        self._loop = loop
        self._channel: Channel | None = None
        self._number = -1
        """The loop's own duplicate of the channel's file descriptor.

        The loop needs a duplicate, because the listener closes the channel if the loop is too busy to detach in time,
        and uvloop aborts the process if a descriptor is closed while the loop watches it.
        """
        self._lost: Future[None] | None = None
        self._is_watching = False

    @contextmanager
    def reader(self, channel: Channel) -> Iterator[Wait]:
        """Have the loop read a channel until the block ends. The listener calls this method in its own thread."""
        lost, detached = Future[None](), threading.Event()

        def wait(seconds: float) -> None:
            try:
                error = lost.exception(seconds)
            except TimeoutError:
                return
            raise error or ConnectionResetError("the loop has ended")

        def detach() -> None:
            self._let_go()
            detached.set()

        # A loop that has ended raises RuntimeError.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._attach, channel, lost)
        try:
            yield wait
        finally:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(detach)
                detached.wait(DETACH_SECONDS)

    def read(self) -> None:
        """Handle the announcements that have arrived, unless the loop reads them on arrival."""
        if not self._is_watching:
            self._read()

    def watch(self) -> None:
        """Handle the announcements that have arrived, and from now on read each announcement on arrival."""
        self._is_watching = True
        self._read()
        if self._channel is not None:
            self._loop.add_reader(self._number, self._read)

    def unwatch(self) -> None:
        """From now on, read announcements only when `read` is called."""
        self._is_watching = False
        if self._channel is not None:
            self._loop.remove_reader(self._number)

    def _attach(self, channel: Channel, lost: Future[None]) -> None:
        try:
            self._number = os.dup(channel.fileno())
        except OSError as error:
            lost.set_exception(error)
            return
        self._channel, self._lost = channel, lost
        if self._is_watching:
            self.watch()

    def _read(self) -> None:
        if self._channel is None:
            return
        try:
            self._channel.read()
        except Exception as error:
            lost = self._lost
            self._let_go()
            if lost is not None:
                lost.set_exception(error)

    def _let_go(self) -> None:
        """Stop reading the channel, but leave it open. The listener closes the channel."""
        if self._channel is not None:
            self._loop.remove_reader(self._number)
            os.close(self._number)
        self._channel = self._lost = None
