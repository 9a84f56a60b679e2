"""Usage: measures which callers are busy, that is, which callers use more of this process's CPU time than others.

A caller counts as busy if it uses more than a certain share of a core, averaged over `AVERAGING` seconds. While all
callers together use more than `LOAD` of a core, the allowed share shrinks each second. Otherwise, the allowed share
grows. The callers who use the most CPU time are therefore the first to become busy.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

LOOP_CPU = 0.001
"""CPU seconds that the loop needs for a request, in addition to the CPU seconds of its thread."""
AVERAGING = 10.0
"""Seconds over which usage is averaged. Older usage counts less."""
LEAST_SHARE, MOST_SHARE = 0.02, 0.1
"""The bounds of the share of a core that a caller may use before it counts as busy. The bounds correspond to about 6
and 30 game reads per second."""
LOAD = 0.3
"""The share of a core that all callers together may use before the share of one caller shrinks."""
SHRINK, GROW = 0.7, 1.1
"""The factors by which the share of one caller changes each second."""
PERIOD = 1.0
"""The interval, in seconds, at which the share of one caller changes."""
MOST_CALLERS = 40_000
"""The maximum number of callers whose usage is remembered."""


class _Use(NamedTuple):
    """The average share of a core that a caller has used, and when it was computed (in seconds, by the clock)."""

    share: float
    at: float


class Usage:
    """How much CPU time each caller of one process has used recently. Only the event loop uses this object."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with no callers. `clock` is in seconds."""
        self._clock = clock
        self._uses: dict[str, _Use] = {}
        self._allowed = MOST_SHARE
        self._period_start = clock()
        self._period_cpu = 0.0

    def add(self, key: str, cpu: float) -> None:
        """Record how much CPU time, in seconds, a caller's request took in its thread."""
        now = self._clock()
        self._uses[key] = _Use(self._share_at(now, key) + (cpu + LOOP_CPU) / AVERAGING, now)
        if len(self._uses) > MOST_CALLERS:
            self._forget(now)
        self._adapt(now, cpu + LOOP_CPU)

    def is_busy(self, key: str) -> bool:
        """Return whether a caller has recently used a larger share of a core than is currently allowed."""
        return self.share(key) > self._allowed

    def share(self, key: str) -> float:
        """Return the share of a core that a caller has recently used on average."""
        return self._share_at(self._clock(), key)

    def _share_at(self, now: float, key: str) -> float:
        use = self._uses.get(key)
        return 0.0 if use is None else use.share * math.exp((use.at - now) / AVERAGING)

    def _adapt(self, now: float, cpu: float) -> None:
        """Record the CPU time used, in seconds. Once per `PERIOD`, adjust how much each caller may use."""
        self._period_cpu += cpu
        seconds = now - self._period_start
        if seconds >= PERIOD:
            factor = SHRINK if self._period_cpu > LOAD * seconds else GROW ** (seconds / PERIOD)
            self._allowed = min(MOST_SHARE, max(LEAST_SHARE, self._allowed * factor))
            self._period_start, self._period_cpu = now, 0.0

    def _forget(self, now: float) -> None:
        """Forget callers who have sent no request for some time.

        If too many callers are left, also forget the callers that were recorded first.
        """
        self._uses = {key: use for key, use in self._uses.items() if now - use.at < AVERAGING}
        for oldest in list(islice(self._uses, max(0, len(self._uses) - MOST_CALLERS * 3 // 4))):
            del self._uses[oldest]
