"""A process that does not outlive the one that started it, however that one ends (Linux)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1
"""From linux/prctl.h."""


def leashed(argv: Sequence[str]) -> list[str]:
    """Return the command that runs `argv`, as the same process, so that it gets SIGTERM when its parent dies.

    The leash is put on by a program that becomes `argv`: a function that runs between fork and exec is not safe where
    the parent has threads. What counts as the parent is the thread that starts the command. Elsewhere than on Linux
    there is no leash.
    """
    if sys.platform != "linux":
        return list(argv)
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *argv]


def tie(parent: int) -> bool:
    """Have this process get SIGTERM when its parent dies (Linux); False where that has died already."""
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
