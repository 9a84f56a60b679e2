"""Reporting: each process adds its counts to the totals on the queue server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import redis

from ..config import Config
from ..hints.totals import Totals
from ..metrics.counting import Field, gauges, take
from .duties import Duty

PAUSE = 5.0
"""Seconds between two reports. The collected metrics may be out of date by up to this time."""
STOP_SECONDS = 1.0
"""The maximum number of seconds for the last report when the process stops. If the last report fails, its counts are
lost."""


class Reporter:
    """Reports the counts of this process. A report whose reply is lost is resent, but counted only once."""

    def __init__(self, totals: Totals) -> None:
        """Create a reporter that adds the counts to `totals`."""
        self._totals = totals
        self._number = 0
        self._unsent: dict[Field, float] | None = None

    def report(self) -> bool:
        """Report in one round trip, and return False because there is nothing more to do. Raises: redis.RedisError."""
        if self._unsent is None:
            self._number += 1
            self._unsent = take()
        self._totals.add(self._number, self._unsent, gauges())
        self._unsent = None
        return False


@contextmanager
def reporting(config: Config, process: str) -> Iterator[None]:
    """Report this process's counts from a thread while the block runs. `process` is the kind of process, such as `web`.

    While the queue server cannot be reached, the process keeps its counts. Outages are not logged here, because other
    duties log them.
    """
    stop = threading.Event()
    thread = threading.Thread(target=_report, args=(config.queue_url, process, stop), name="metrics", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(STOP_SECONDS)


def _report(url: str, process: str, stop: threading.Event) -> None:
    with closing(Totals(url, process)) as totals:
        reporter, is_away = Reporter(totals), False

        def report() -> bool:
            nonlocal is_away
            try:
                is_away = reporter.report()
            except redis.RedisError:
                is_away = True
            return False

        duty = Duty("reporting metrics", report, PAUSE)
        while not stop.wait(duty.once()):
            pass
        if not is_away:
            duty.once()
