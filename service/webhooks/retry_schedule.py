"""When a delivery is tried again, and when an endpoint is given up."""

from __future__ import annotations

from collections.abc import Callable

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000
DELAYS = (
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
)
"""Milliseconds between a try and the next, by the number of tries before it: more than three days in all."""
JITTER = 0.1
"""By what part of itself a delay may be shorter or longer, so that an endpoint that returns is not met by a crowd."""
LONGEST_WAIT = 24 * HOUR
"""Milliseconds for which an endpoint may put us off with Retry-After."""
PATIENCE = 5 * 24 * HOUR
"""Milliseconds of failure after which an endpoint is disabled."""


def next_try(tries: int, retry_after: float | None, chance: Callable[[], float]) -> int | None:
    """Return in how many ms to try again after so many tries have failed, None when that was the last.

    `retry_after` is what the endpoint asked for (s), `chance` gives a number from 0 to 1.

    >>> next_try(1, None, lambda: 0.5), next_try(1, 60, lambda: 0.5), next_try(10, None, lambda: 0.5)
    (5000, 60000, None)
    """
    if tries > len(DELAYS):
        return None
    delay = DELAYS[tries - 1] * (1 + JITTER * (2 * chance() - 1))
    asked = min((retry_after or 0) * SECOND, LONGEST_WAIT)
    return round(max(delay, asked))
