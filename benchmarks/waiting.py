"""Waiting: until what a game or a player is waited for has come, without asking all the time."""

from __future__ import annotations

import time
from collections.abc import Callable

from service.store.waits import Waits


def wait_until(waits: Waits, topic: str, seconds: float, come: Callable[[], bool]) -> bool:
    """Wait until something has come; False when it has not within so many seconds.

    It is looked for to begin with, and whenever the topic is announced.
    """
    deadline = time.monotonic() + seconds
    with waits.waiter(topic) as waiter:
        while not come():
            left = deadline - time.monotonic()
            if left <= 0 or not waiter.wait(min(left, waits.recheck)):
                return False
    return True
