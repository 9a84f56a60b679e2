"""The retry schedule: when a delivery is retried, and when an endpoint is disabled."""

from __future__ import annotations

from collections.abc import Callable

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000
DELAYS = (
    5 * SECOND,
    15 * SECOND,
    1 * MINUTE,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
)
"""Milliseconds from each try to the next try, in order. The sum of all delays is more than three days.

The first delays are short, because a bot that is being restarted is back within seconds.
"""
JITTER = 0.1
"""The fraction by which a delay varies at random, so that deliveries to a recovered endpoint do not all arrive
together."""
LONGEST_WAIT = 24 * HOUR
"""The longest delay that an endpoint can request with Retry-After, in milliseconds."""
DISABLE_AFTER = 5 * 24 * HOUR
"""An endpoint is disabled after it has failed for this number of milliseconds."""


def next_try(tries: int, retry_after: float | None, chance: Callable[[], float]) -> int | None:
    """Return the delay in ms before the next try, after `tries` failed tries, or None if there are no more tries.

    `retry_after` is the delay in seconds that the endpoint requested. `chance` returns a random number from 0 to 1.

    >>> next_try(1, None, lambda: 0.5), next_try(1, 60, lambda: 0.5), next_try(12, None, lambda: 0.5)
    (5000, 60000, None)
    """
    if tries > len(DELAYS):
        return None
    delay = DELAYS[tries - 1] * (1 + JITTER * (2 * chance() - 1))
    requested_delay = min((retry_after or 0) * SECOND, LONGEST_WAIT)
    return round(max(delay, requested_delay))
