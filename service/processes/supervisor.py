"""The supervisor: keeps servers and processes running, shows their output, and stops everything in order.

The supervisor's only thread waits for a line of output, the end of a process, a signal, or the time for a restart.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from ..logs import JSON, TEXT, json_line
from .child import Child, Lines, ended_by_itself, how_it_ended, next_pause
from .embedded import EmbeddedError, EmbeddedServer

STOP_SECONDS = 10.0
"""Seconds after which a process that does not stop is killed. Servers get more time."""
FAILURES = 3
"""If a server exits or crashes this number of times before it first answers, the supervisor gives up. The limit exists
because a server with an unusable folder would fail every time.
"""
READY_PAUSE, NEWS_PAUSE = 0.02, 0.2
"""Seconds between two checks of whether the servers answer, and between two calls of `news`."""
COLOURS = (36, 33, 35, 32, 34)
"""The ANSI codes of the colours for processes' names. Each name gets the next colour."""
OWN_NAME = "serve"


@dataclass
class _Watch:
    """The state of a child or server: its last start, its last pause, and the time of its restart if it is down.

    `failures` is the number of times that a server has exited or crashed before it answered.
    """

    part: Child | EmbeddedServer
    started: float
    pause: float = 0.0
    due: float | None = None
    failures: int = 0


class Supervisor:
    """Starts the `servers`, and then the `children`, in order.

    When the servers answer, the supervisor calls `prepare` with a function that returns whether to stop. If `prepare`
    raises an exception, the supervisor stops everything. The supervisor calls `news` until it returns a string, and
    shows this string.
    """

    def __init__(
        self,
        children: Sequence[Child],
        servers: Sequence[EmbeddedServer] = (),
        *,
        prepare: Callable[[Callable[[], bool]], None] = lambda _: None,
        news: Callable[[], str | None] | None = None,
        out: IO[bytes] | None = None,
        log_format: str = TEXT,
    ) -> None:
        """Set up the supervisor without starting anything. Without `out`, the output goes to standard output.

        In the `json` format, lines do not begin with the name of a process. A line that is not a JSON object is wrapped
        in a JSON object.
        """
        self._children = children
        self._servers = servers
        self._prepare = prepare
        self._news = news
        self._out = out or sys.stdout.buffer
        self._names = [server.name for server in servers] + [child.name for child in children]
        self._log_format = log_format
        self._uses_colours = self._out.isatty() and not os.environ.get("NO_COLOR")
        self._watches: list[_Watch] = []
        self._selector = selectors.DefaultSelector()
        self._stopping = False

    def run(self) -> None:
        """Run until SIGINT, SIGTERM or SIGHUP, then stop everything. Call this once, in the main thread.

        Raises: EmbeddedError if a server does not start at all, because its folder cannot be used or because it exited
        or crashed `FAILURES` times. A server that is killed while it starts is restarted.
        """
        with self._signals():
            try:
                self._open_servers()
                if not self._stopping:
                    self._prepare(lambda: self._stopping)
                if not self._stopping:
                    self._watches += [self._begin(child) for child in self._children]
                while not self._stopping:
                    self._step()
            except EmbeddedError:
                if not self._stopping:
                    raise
            finally:
                self._stop()

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """While the block runs, let signals interrupt every wait."""
        receiver, sender = socket.socketpair()
        with receiver, sender:
            for end in (receiver, sender):
                end.setblocking(False)
            self._selector.register(receiver, selectors.EVENT_READ)
            previous_fd = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
            signal.signal(signal.SIGCHLD, lambda *_: None)
            for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                # Under nohup, the process must continue to ignore SIGHUP, so that it keeps running when the terminal is
                # closed.
                if (signum, signal.getsignal(signum)) != (signal.SIGHUP, signal.SIG_IGN):
                    signal.signal(signum, self._ask_to_stop)
            try:
                yield
            finally:
                signal.set_wakeup_fd(previous_fd)
                self._selector.close()

    def _ask_to_stop(self, *_: object) -> None:
        self._stopping = True

    def _open_servers(self) -> None:
        for server in self._servers:
            server.launch()
            self._watches.append(_Watch(server, time.monotonic()))
        while not self._stopping and not all(server.ready() for server in self._servers):
            self._show(READY_PAUSE)
            for server, watch in zip(self._servers, self._watches, strict=True):
                self._count_failure(server, watch)
                self._check(watch)

    def _count_failure(self, server: EmbeddedServer, watch: _Watch) -> None:
        """Count a failure if a server has exited or crashed. Raises: ServerDied if there were `FAILURES` failures."""
        if watch.due is None and (code := server.poll()) is not None and ended_by_itself(code):
            watch.failures += 1
            if watch.failures == FAILURES:
                raise server.death()

    def _begin(self, part: Child | EmbeddedServer) -> _Watch:
        watch = _Watch(part, time.monotonic(), due=0.0)
        self._check(watch)
        return watch

    def _step(self) -> None:
        self._show(self._patience())
        for watch in self._watches:
            self._check(watch)
        if self._news is not None and (text := self._news()) is not None:
            self._news = None
            self._show_text(text)

    def _patience(self) -> float | None:
        """Return the number of seconds until the next planned step, or None if nothing is planned."""
        now = time.monotonic()
        pauses = [max(watch.due - now, 0.0) for watch in self._watches if watch.due is not None]
        if self._news is not None:
            pauses.append(NEWS_PAUSE)
        return min(pauses, default=None)

    def _check(self, watch: _Watch) -> None:
        """Check whether a server or child has ended, or is due for a restart."""
        now = time.monotonic()
        if watch.due is None:
            code = watch.part.poll()
            if code is not None:
                self._leave_down(watch, how_it_ended(code))
        elif now >= watch.due:
            watch.due, watch.started = None, now
            try:
                self._launch(watch.part)
            except (OSError, EmbeddedError) as error:
                self._leave_down(watch, f"cannot be started: {error}")

    def _launch(self, part: Child | EmbeddedServer) -> None:
        lines = part.launch()
        if lines is not None:
            self._selector.register(lines, selectors.EVENT_READ, lines)

    def _leave_down(self, watch: _Watch, why: str) -> None:
        now = time.monotonic()
        watch.pause = next_pause(watch.pause, now - watch.started)
        watch.due = now + watch.pause
        self._show_line(OWN_NAME, f"{watch.part.name} {why}; restarting in {watch.pause:.1f} s".encode())
        if isinstance(watch.part, Child):
            watch.part.sweep(signal.SIGTERM)

    def _stop(self) -> None:
        for child in self._children:
            child.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while any(child.poll() is None for child in self._children) and time.monotonic() < deadline:
            self._show(deadline - time.monotonic())
        for child in self._children:
            child.sweep(signal.SIGKILL)
            child.wait()
        for server in self._servers:
            server.stop()
        self._show(0)

    def _show(self, patience: float | None) -> None:
        """Wait at most `patience` seconds for an event, and show the lines that were written."""
        for key, _ in self._selector.select(patience):
            if isinstance(key.data, Lines):
                self._show_lines(key.data)
            elif isinstance(key.fileobj, socket.socket):
                key.fileobj.recv(4096)

    def _show_lines(self, source: Lines) -> None:
        lines, is_closed = source.read()
        for line in lines:
            self._show_line(source.name, line)
        if is_closed:
            self._selector.unregister(source)
            source.close()

    def _show_text(self, text: str) -> None:
        if self._log_format == JSON:
            text = json_line(OWN_NAME, text.strip())
        self._write(text.encode())

    def _show_line(self, name: str, line: bytes) -> None:
        if self._log_format == JSON:
            is_json = line.startswith(b"{") and line.endswith(b"}")
            self._write(line if is_json else json_line(name, line.decode(errors="replace")).encode())
            return
        prefix = f"{name:<{max(map(len, self._names))}} | "
        if self._uses_colours and name in self._names:
            colour = COLOURS[self._names.index(name) % len(COLOURS)]
            prefix = f"\x1b[{colour}m{prefix}\x1b[0m"
        self._write(prefix.encode() + line)

    def _write(self, line: bytes) -> None:
        # If the output is closed, the service continues.
        with contextlib.suppress(OSError):
            self._out.write(line + b"\n")
            self._out.flush()
