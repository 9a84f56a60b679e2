"""The real time, and a clock that a test can advance."""

from __future__ import annotations

import time
from typing import Any

SECOND, HOUR = 1_000, 3_600_000
DAY = 24 * HOUR


class Time:
    """The current time, in ms since the epoch."""

    def __init__(self, now: int = 1_795_000_000_000) -> None:
        """Start at a given time."""
        self.now = now

    def __call__(self) -> int:
        """Return the current time."""
        return self.now

    def passes(self, ms: int) -> int:
        """Let `ms` milliseconds pass, and return the new time."""
        self.now += ms
        return self.now


def real() -> int:
    """Return the real time."""
    return time.time_ns() // 1_000_000


def clock(**chosen: Any) -> dict[str, Any]:
    """Return the settings of a clock with a day for each move that nothing stops, unless other settings are given."""
    return {"kind": "per-move", "seconds": 86_400, "sleep_hours": False, "vacation": False, **chosen}
