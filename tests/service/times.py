"""The real time, and one that passes when a test says so."""

from __future__ import annotations

import time
from typing import Any

SECOND, HOUR = 1_000, 3_600_000
DAY = 24 * HOUR


class Time:
    """What time it is, in ms since the epoch."""

    def __init__(self, now: int = 1_795_000_000_000) -> None:
        """Begin at a time."""
        self.now = now

    def __call__(self) -> int:
        """Return what time it is."""
        return self.now

    def passes(self, ms: int) -> int:
        """Let `ms` milliseconds pass, and return what time it is then."""
        self.now += ms
        return self.now


def real() -> int:
    """Return what time it is everywhere else."""
    return time.time_ns() // 1_000_000


def clock(**chosen: Any) -> dict[str, Any]:
    """Return a clock of a day for each move that nothing stops, unless asked otherwise."""
    return {"kind": "per-move", "seconds": 86_400, "sleep_hours": False, "vacation": False, **chosen}
