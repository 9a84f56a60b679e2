"""Checks by process id whether processes still exist."""

from __future__ import annotations

import os
from pathlib import Path


def alive(pid: int) -> bool:
    """Return whether a process is running; an ended process that nobody has waited for does not count."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    try:
        return not Path("/proc/self").exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
