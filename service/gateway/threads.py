"""Threads: makes calls in threads, outside the event loop, and passes the results to functions in the loop.

`ThreadPoolExecutor` with `run_in_executor` does the same, but takes about 80 µs more CPU time for each call, because it
connects two kinds of futures with callbacks (decision 0011). For comparison, reading a short game takes 1,000 µs in
total.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")
Call = tuple[Callable[[], Any], Callable[[Any, BaseException | None], None]]
"""A function to call in a thread, and a function to call in the loop with the result or the error."""


class Threads:
    """Threads that each make one call at a time. Only the event loop uses this object.

    The thread that became idle most recently makes the next call. A new thread is started only if no thread is idle, so
    there are never more threads than the largest number of simultaneous calls.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start without threads. Functions that receive results run in this loop."""
        self._loop = loop
        self._idle: list[SimpleQueue[Call | None]] = []
        self._closed = False

    def call(self, function: Callable[[], T], then: Callable[[T | None, BaseException | None], None]) -> None:
        """Call `function` in a thread, and then call `then` in the loop, with the result or with the error.

        If the system cannot start another thread, `then` is called immediately, with a RuntimeError. `then` is not
        called if the loop has ended.
        """
        try:
            calls = self._idle.pop()
        except IndexError:
            calls = SimpleQueue()
            try:
                threading.Thread(target=self._work, args=(calls,), name="request").start()
            except RuntimeError as error:
                then(None, error)
                return
        calls.put((function, then))

    def close(self) -> None:
        """End each thread after its current call. Python waits for the threads before the process ends."""
        self._closed = True
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().put(None)

    def _work(self, calls: SimpleQueue[Call | None]) -> None:
        while (call := calls.get()) is not None:
            self._make(call, calls)
            del call  # While the thread is idle, it must not keep references to data of a request.

    def _make(self, call: Call, calls: SimpleQueue[Call | None]) -> None:
        function, then = call
        try:
            outcome = partial(then, function(), None)
        except BaseException as error:
            outcome = partial(then, None, error)
        # The thread counts as idle before the loop gets the result, so that the next call need not start another
        # thread.
        self._idle.append(calls)
        if self._closed:
            self.close()
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(outcome)
        # An error keeps a reference to this stack frame. To avoid a reference cycle, the frame must not refer to the
        # function that gets the error.
        del call, function, then, outcome
