"""The leash: makes a process end when its parent ends, whatever the reason (Linux only)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1
"""The value of the constant with this name in linux/prctl.h."""


def with_leash(argv: Sequence[str]) -> list[str]:
    """Return a command that executes `argv` in a process that gets SIGTERM when its parent dies.

    The command runs a small program, which requests the signal and then executes `argv`. A function that runs between
    fork and exec could also request the signal, but would not be safe if the parent has threads. Here, the parent is
    the thread that starts the command. On systems other than Linux, the command is `argv` itself.
    """
    if sys.platform != "linux":
        return list(argv)
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *argv]


def tie(parent: int) -> bool:
    """Make this process get SIGTERM when its parent dies (Linux). Return False if the parent has already died."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    return os.getppid() == parent


def _run(parent: int, argv: list[str]) -> None:
    if not tie(parent):
        return
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        sys.exit(f"{argv[0]}: {error.strerror}")


if __name__ == "__main__":
    _run(int(sys.argv[1]), sys.argv[2:])
