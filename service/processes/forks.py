"""Forks: does work in several processes, and restarts each process that ends, until a signal ends all processes."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import time
from collections.abc import Callable, Sequence
from typing import NoReturn

from .child import how_it_ended, next_pause
from .leash import tie
from .shutdown import SIGNALS

FAILED = 1
"""The exit code of a process whose work has failed."""

_logger = logging.getLogger(__name__)


Work = Callable[[], None]


def run_forked(works: Sequence[Work]) -> None:
    """Do each piece of work in its own process until SIGTERM or SIGINT. If there is only one piece of work, do it in
    this process.

    Call this in the main thread, before any other thread starts. Raises: any exception from work that is done in this
    process.
    """
    if len(works) == 1:
        works[0]()
    else:
        _Family(works).run()


class _Family:
    """The forked processes, keyed by process id, and the processes that wait for a restart."""

    def __init__(self, works: Sequence[Work]) -> None:
        self._started: dict[int, float] = {}
        self._pauses: dict[int, float] = {}
        self._works: dict[int, Work] = {}
        self._due: list[tuple[float, float, Work]] = [(0.0, 0.0, work) for work in works]
        """For each process to start: its start time (monotonic seconds), its last pause (seconds), and its work."""

    def run(self) -> None:
        awaited = {*SIGNALS, signal.SIGCHLD}
        signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
        while True:
            self._start_due()
            patience = min((due for due, _, _ in self._due), default=time.monotonic() + 60) - time.monotonic()
            received = signal.sigtimedwait(awaited, max(patience, 0.0))
            self._reap()
            if received is not None and received.si_signo in SIGNALS:
                break
        for pid in self._started:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        for pid in self._started:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)

    def _start_due(self) -> None:
        now = time.monotonic()
        for due in [due for due in self._due if due[0] <= now]:
            self._due.remove(due)
            parent = os.getpid()
            pid = os.fork()
            if not pid:
                _do_work(parent, due[2])
            self._started[pid], self._pauses[pid], self._works[pid] = now, due[1], due[2]

    def _reap(self) -> None:
        """Record which processes have ended, and when to start their replacements."""
        for pid in list(self._started):
            ended_pid, status = os.waitpid(pid, os.WNOHANG)
            if ended_pid:
                now, code = time.monotonic(), os.waitstatus_to_exitcode(status)
                pause = next_pause(self._pauses.pop(pid), now - self._started.pop(pid))
                self._due.append((now + pause, pause, self._works.pop(pid)))
                _logger.error("process %d %s; starting a replacement in %.1f s", pid, how_it_ended(code), pause)


def _do_work(parent: int, work: Work) -> NoReturn:
    """Do the work in a process that was just forked."""
    code = FAILED
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {*SIGNALS, signal.SIGCHLD})
        if tie(parent):
            work()
        code = 0
    except BaseException:
        _logger.exception("this process failed")
    finally:
        os._exit(code)
