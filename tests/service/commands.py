"""Commands that run in separate processes, followed line by line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from service.processes.leash import with_leash


class Command:
    """A Python command; the test waits for what it writes. The command is ended by its process id."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        """Start the command; `env` is added to the environment."""
        self._process = subprocess.Popen(
            with_leash([sys.executable, *argv]),
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.pid = self._process.pid
        self._seen: list[str] = []

    def line(self, pattern: str) -> re.Match[str]:
        """Return the first line that matches a pattern and has not been returned before; fail if none comes."""
        assert self._process.stdout is not None
        for number, line in enumerate(self._seen):
            if found := re.search(pattern, line):
                del self._seen[number]
                return found
        for line in map(str.rstrip, self._process.stdout):
            if found := re.search(pattern, line):
                return found
            self._seen.append(line)
        raise AssertionError("\n".join([f"{pattern!r} was not written, but:", *self._seen]))

    def end(self, signum: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; return the exit status, and all output that has not been returned as a line."""
        self._process.send_signal(signum)
        return self.wait()

    def signalled(self, signum: signal.Signals) -> bool:
        """Send a signal if the command is still running, and return whether it was."""
        self._process.send_signal(signum)
        return self._process.poll() is None

    def wait(self) -> tuple[int, str]:
        """Return the exit status, and all output that has not been returned as a line."""
        rest, _ = self._process.communicate()
        return self._process.returncode, "\n".join([*self._seen, rest])

    def __enter__(self) -> Self:
        """Start to follow the command."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the command, if the test has not done so."""
        with self._process:
            self._process.terminate()
