"""The supervisor: keeps servers and processes running, shows what they write, and ends them in order.

It has one thread, which waits for a line to show, a process that ended, a signal, or the time to start something anew.
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

from .child import Child, Lines, ended_by_itself, how_it_ended, next_pause
from .embedded import EmbeddedError, EmbeddedServer

STOP_SECONDS = 10.0
"""How long a process may take to end, before it is killed; a server may take longer."""
FAILURES = 3
"""How often a server may end by itself before it first answers; with what is wrong in its folder it would for ever."""
READY_PAUSE, NEWS_PAUSE = 0.02, 0.2
"""Seconds between two questions whether the servers answer, and whether there is news."""
COLOURS = (36, 33, 35, 32, 34)
"""ANSI codes of the names' colours, in turn."""
OWN_NAME = "serve"


@dataclass
class _Watch:
    """What is remembered of a part: when it started, its last pause, and when to start it anew if it is down.

    `failures` counts how often a server has ended by itself before it answered.
    """

    part: Child | EmbeddedServer
    started: float
    pause: float = 0.0
    due: float | None = None
    failures: int = 0


class Supervisor:
    """Runs `children` once the `servers` answer, in their order; `news` is asked until it has something to say.

    `prepare` is called in between, with what says whether it is to end; what it raises ends everything.
    """

    def __init__(
        self,
        children: Sequence[Child],
        servers: Sequence[EmbeddedServer] = (),
        *,
        prepare: Callable[[Callable[[], bool]], None] = lambda _: None,
        news: Callable[[], str | None] | None = None,
        out: IO[bytes] | None = None,
    ) -> None:
        """Take what to run; without `out` it writes to the standard output. Nothing runs yet."""
        self._children = children
        self._servers = servers
        self._prepare = prepare
        self._news = news
        self._out = out or sys.stdout.buffer
        self._names = [server.name for server in servers] + [child.name for child in children]
        self._coloured = self._out.isatty() and not os.environ.get("NO_COLOR")
        self._watches: list[_Watch] = []
        self._selector = selectors.DefaultSelector()
        self._stopping = False

    def run(self) -> None:
        """Run until SIGINT, SIGTERM or SIGHUP, then end everything. To be called once, in the main thread.

        Raises: EmbeddedError when a server does not start in the first place: its folder cannot be used, or it ended by
        itself `FAILURES` times. A server that is killed while it starts is started again.
        """
        with self._signals():
            try:
                self._open_servers()
                if not self._stopping:
                    self._prepare(lambda: self._stopping)
                if not self._stopping:
                    self._watches += [self._begin(child) for child in self._children]
                while not self._stopping:
                    self._turn()
            except EmbeddedError:
                if not self._stopping:
                    raise
            finally:
                self._stop()

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Let signals interrupt every wait."""
        waked, waker = socket.socketpair()
        with waked, waker:
            for end in (waked, waker):
                end.setblocking(False)
            self._selector.register(waked, selectors.EVENT_READ)
            before = signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
            signal.signal(signal.SIGCHLD, lambda *_: None)
            for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                # Under nohup the end of the terminal is to be ignored.
                if (signum, signal.getsignal(signum)) != (signal.SIGHUP, signal.SIG_IGN):
                    signal.signal(signum, self._ask_to_stop)
            try:
                yield
            finally:
                signal.set_wakeup_fd(before)
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
                self._look(watch)

    def _count_failure(self, server: EmbeddedServer, watch: _Watch) -> None:
        """Count that a server has ended by itself; the last time that it may raises: ServerDied."""
        if watch.due is None and (code := server.poll()) is not None and ended_by_itself(code):
            watch.failures += 1
            if watch.failures == FAILURES:
                raise server.death()

    def _begin(self, part: Child | EmbeddedServer) -> _Watch:
        watch = _Watch(part, time.monotonic(), due=0.0)
        self._look(watch)
        return watch

    def _turn(self) -> None:
        self._show(self._patience())
        for watch in self._watches:
            self._look(watch)
        if self._news is not None and (said := self._news()) is not None:
            self._news = None
            self._write(said.encode())

    def _patience(self) -> float | None:
        """Return the seconds until something is to be done; None for no end."""
        now = time.monotonic()
        waits = [max(watch.due - now, 0.0) for watch in self._watches if watch.due is not None]
        if self._news is not None:
            waits.append(NEWS_PAUSE)
        return min(waits, default=None)

    def _look(self, watch: _Watch) -> None:
        """See whether a part has ended, or is to be started anew."""
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
        self._say(OWN_NAME, f"{watch.part.name} {why}; restarting in {watch.pause:.1f} s".encode())
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
        """Wait for something to happen, at most so many seconds, and show the lines that were written."""
        for key, _ in self._selector.select(patience):
            if isinstance(key.data, Lines):
                self._show_lines(key.data)
            elif isinstance(key.fileobj, socket.socket):
                key.fileobj.recv(4096)

    def _show_lines(self, source: Lines) -> None:
        lines, ended = source.read()
        for line in lines:
            self._say(source.name, line)
        if ended:
            self._selector.unregister(source)
            source.close()

    def _say(self, name: str, line: bytes) -> None:
        prefix = f"{name:<{max(map(len, self._names))}} | "
        if self._coloured and name in self._names:
            colour = COLOURS[self._names.index(name) % len(COLOURS)]
            prefix = f"\x1b[{colour}m{prefix}\x1b[0m"
        self._write(prefix.encode() + line)

    def _write(self, line: bytes) -> None:
        # That nobody reads any more is no reason to end.
        with contextlib.suppress(OSError):
            self._out.write(line + b"\n")
            self._out.flush()
