"""A lock on a folder. The lock is held until every process that has the lock's descriptor has ended."""

from __future__ import annotations

import os
import time
from pathlib import Path

LENGTH = 20
"""The number of bytes in the lock file that are reserved for the holder's process id."""


def take(path: Path, patience: float) -> int | None:
    """Take the lock, and return its descriptor. Return None if others still hold the lock after `patience` seconds."""
    import fcntl  # Windows lacks this module. The service embeds no servers on Windows, but still imports this file.

    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(lock)
                return None
            time.sleep(0.05)
        else:
            return lock


def sign(lock: int, holder: int) -> None:
    """Record which process holds the lock."""
    os.pwrite(lock, str(holder).ljust(LENGTH).encode(), 0)


def holder(path: Path) -> str:
    """Return the id of the process that was last recorded as the holder."""
    return path.read_text()[:LENGTH].strip()
