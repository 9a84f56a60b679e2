"""A child process of the supervisor: its start and end, the pauses before restarts, and the lines that it writes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import IO

from .leash import with_leash

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
"""The shortest and the longest pause between the end of a process and its restart, in seconds."""
SETTLED = 30.0
"""If a process ran for at least this number of seconds, the pause before its restart is short again."""
LONGEST_LINE = 64 * 1024
CRASHES = frozenset(
    (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGSYS, signal.SIGTRAP)
)
"""Signals that usually mean that the process crashed."""


def next_pause(pause: float, lived: float) -> float:
    """Return the pause before a restart, given the previous pause and the process's run time (all in seconds).

    >>> next_pause(0.0, lived=1), next_pause(0.2, lived=1), next_pause(8.0, lived=1), next_pause(8.0, lived=30)
    (0.2, 0.4, 10.0, 0.2)
    """
    return FIRST_PAUSE if lived >= SETTLED else min(max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE)


def how_it_ended(code: int) -> str:
    """Describe in words how a process ended.

    >>> how_it_ended(1), how_it_ended(-9)
    ('exited with code 1', 'was killed by SIGKILL')
    """
    return f"exited with code {code}" if code >= 0 else f"was killed by {signal.Signals(-code).name}"


def ended_by_itself(code: int) -> bool:
    """Return True if a process exited or crashed, and False if it was killed.

    >>> ended_by_itself(1), ended_by_itself(-signal.SIGSEGV), ended_by_itself(-signal.SIGKILL)
    (True, True, False)
    """
    return code >= 0 or -code in CRASHES


class Lines:
    """The output of a process, line by line."""

    def __init__(self, name: str, source: IO[bytes]) -> None:
        """Read the lines that the process with this name writes to the pipe `source`."""
        self.name = name
        self._source = source
        self._rest = b""

    def fileno(self) -> int:
        """Return the pipe's file descriptor, so that a selector can wait for it."""
        return self._source.fileno()

    def read(self) -> tuple[list[bytes], bool]:
        """Return the new lines, and whether the output has ended. Wait only if there is nothing to read."""
        new = os.read(self.fileno(), LONGEST_LINE)
        *lines, self._rest = (self._rest + new).split(b"\n")
        if self._rest and (not new or len(self._rest) > LONGEST_LINE):
            lines.append(self._rest)
            self._rest = b""
        return lines, not new

    def close(self) -> None:
        """Close the pipe."""
        self._source.close()


class Child:
    """A named process in a separate process group, so that Ctrl-C reaches the process only through the supervisor."""

    def __init__(self, name: str, argv: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        """Store the command `argv`, which `launch` runs."""
        self.name = name
        self._argv = argv
        self._env = env
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self) -> Lines:
        """Start the process, or restart it after it has ended, and return its output. Raises: OSError."""
        process = self._process = subprocess.Popen(
            with_leash(self._argv),
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
        assert process.stdout is not None
        return Lines(self.name, process.stdout)

    def poll(self) -> int | None:
        """Return the exit code (negative for a signal), None while the process is running, or 0 if it was never
        started.
        """
        return 0 if self._process is None else self._process.poll()

    def terminate(self) -> None:
        """Ask the process to end. The process is expected to end its own child processes."""
        if self._process is not None:
            self._process.terminate()

    def wait(self) -> None:
        """Wait for the process to end."""
        if self._process is not None:
            self._process.wait()

    def sweep(self, signum: signal.Signals) -> None:
        """Send a signal to the process and to all processes that it has started, if they are still running."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signum)
