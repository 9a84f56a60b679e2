"""Wait for a condition about a game or a player, without polling."""

from __future__ import annotations

import time
from collections.abc import Callable

from service.store.waits import Waits


def wait_until(waits: Waits, topic: str, seconds: float, come: Callable[[], bool]) -> bool:
    """Wait until a condition is true. Return False if it is still false after `seconds`.

    The condition is checked at the start, and whenever the topic is announced.
    """
    deadline = time.monotonic() + seconds
    with waits.waiter(topic) as waiter:
        while not come():
            left = deadline - time.monotonic()
            if left <= 0 or not waiter.wait(min(left, waits.recheck)):
                return False
    return True
