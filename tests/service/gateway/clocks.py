"""A clock for tests of what a web process remembers about the last seconds."""

from __future__ import annotations


class Clock:
    """A clock that stands still until the test changes `now` (seconds)."""

    now = 1_000_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now
