"""Counting: the numbers of requests that each limit has recently allowed for each key.

All processes share these counts, which are stored on the queue server. A request that cannot be counted does not fail.
If the queue server does not answer, requests are allowed, and the process does not ask the server again for `PAUSE`
seconds. Therefore, even a request that counts under several limits waits for the server only once.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from limits import RateLimitItemPerSecond
from limits.errors import StorageError
from limits.storage import RedisStorage
from limits.strategies import MovingWindowRateLimiter

from ..hints.queue import connect
from .table import Limit

PREFIX = "condottiere:limits"
"""The prefix of the keys on the queue server."""
PATIENCE = 0.25
"""The maximum number of seconds that a request waits for the queue server."""
PAUSE = 5.0
"""After the queue server has failed to respond, a process does not ask it again for this number of seconds."""
WARNING_PAUSE = 60.0
"""The minimum number of seconds between two warnings."""

_logger = logging.getLogger(__name__)


class Standing(NamedTuple):
    """The state of a key under a limit: whether this request is allowed, and how many more requests are allowed.

    After `seconds`, the oldest counted request no longer counts, and the state changes.
    """

    limit: Limit
    allowed: bool
    remaining: int
    seconds: int


class Counts:
    """The counts of all limits. The object can be used from any thread."""

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Store the counts on the queue server at `url`, and connect on first use. `clock` is in seconds."""
        self._client = connect(url, PATIENCE)
        storage = RedisStorage(
            "redis://", connection_pool=self._client.connection_pool, key_prefix=PREFIX, wrap_exceptions=True
        )
        self._window = MovingWindowRateLimiter(storage)
        self._clock = clock
        self._lock = threading.Lock()
        self._asked_again_at = self._warned_again_at = -math.inf

    def count(self, limit: Limit, key: str, cost: int = 1) -> Standing | None:
        """Count a request under a key unless the request exceeds the limit, and return the key's state.

        The request counts as `cost` requests, but never as more than the limit allows. Takes two round trips. Returns
        None if the server does not answer. Never raises.
        """
        if self._clock() < self._asked_again_at:
            return None
        item = RateLimitItemPerSecond(limit.amount, limit.seconds, limit.name)
        try:
            allowed = self._window.hit(item, key, cost=max(1, min(cost, limit.amount)))
            stats = self._window.get_window_stats(item, key)
        except StorageError as error:
            self._rest(error)
            return None
        seconds = math.ceil(stats.reset_time - time.time())
        return Standing(limit, allowed, stats.remaining, min(max(seconds, 1), limit.seconds))

    def close(self) -> None:
        """Close the connections. The next call reconnects."""
        self._client.close()

    def _rest(self, error: Exception) -> None:
        """For the next `PAUSE` seconds, do not ask the server.

        Log a warning with the error, unless one was logged recently.
        """
        with self._lock:
            now = self._clock()
            self._asked_again_at = now + PAUSE
            if now < self._warned_again_at:
                return
            self._warned_again_at = now + WARNING_PAUSE
        _logger.warning(
            "cannot count requests (%s), so all requests are allowed until the queue server responds again", error
        )
