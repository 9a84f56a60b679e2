"""Duties: tasks that a process repeats in rounds while it runs, such as timekeeping or sending hints.

A failed round never ends a duty: the failure is logged, and the next round begins after a pause. If a duty goes a
minute without finishing a round, its whole process ends, and the supervisor restarts the process. The process does not
end while a server that the duty needs is unreachable, because a new process could not reach that server either.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from ..metrics.table import DUTY_FAILURES
from ..store.errors import StoreUnavailable

STUCK_SECONDS = 60.0
"""Seconds without a finished round after which a duty counts as stuck, unless there was an outage."""
LONGEST_PAUSE = 10.0
"""The longest pause, in seconds, between two rounds if a round fails even though the servers work."""
CHECK_PAUSE = 5.0
"""Seconds between two checks of whether a duty is stuck."""
STOP_SECONDS = 10.0
"""The maximum number of seconds that the process waits for a round to end when it stops."""
STUCK_CODE = 70
"""The exit code of a process whose duty is stuck (EX_SOFTWARE of sysexits.h)."""

_logger = logging.getLogger(__name__)


class Rounds:
    """The state of a duty: whether its last rounds succeeded, and how long to pause after a failure."""

    def __init__(
        self,
        name: str,
        pause: float,
        *,
        outages: tuple[type[Exception], ...] = (StoreUnavailable,),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Pause `pause` seconds between rounds. `outages` are the exceptions that mean that a server is unavailable."""
        self.name = name
        self.pause = pause
        self._outages = outages
        self._now = now
        self._failure: str | None = None
        self._rest = pause
        self.finished = self._last_outage = now()
        """The time at which a round was last finished (monotonic seconds)."""

    def note_success(self) -> None:
        """Record that a round was finished."""
        self.finished, self._rest = self._now(), self.pause
        if self._failure is not None:
            _logger.warning("%s works again", self.name)
            self._failure = None

    def note_failure(self, error: Exception) -> float:
        """Record a failed round, and return the pause in seconds. A repeated failure is logged only once."""
        DUTY_FAILURES.add(self.name)
        outage = isinstance(error, self._outages)
        if outage:
            self.note_outage()
        failure = f"{type(error).__name__}: {error}"
        if failure != self._failure:
            level = logging.WARNING if outage else logging.ERROR
            _logger.log(
                level, "%s failed and will be retried: %s", self.name, failure, exc_info=None if outage else error
            )
        self._failure = failure
        if outage:  # Do not lengthen the pause: the server may come back at any moment, and an attempt costs little.
            return self.pause
        rest, self._rest = self._rest, min(2 * self._rest, LONGEST_PAUSE)
        return rest

    def note_outage(self) -> None:
        """Record that an outage prevented a round. Any part of the process may call this method."""
        self._last_outage = self._now()

    def is_stuck(self) -> bool:
        """Return True if both the last finished round and the last recorded outage were more than a minute ago."""
        return self._now() - max(self.finished, self._last_outage) > STUCK_SECONDS


class Duty(Rounds):
    """One task that a process repeats in its own thread."""

    def __init__(self, name: str, round: Callable[[], bool], pause: float, **options: Any) -> None:
        """Repeat `round`, which returns True if there is more to do. `options` are arguments of `Rounds`."""
        super().__init__(name, pause, **options)
        self._round = round

    def perform(self, stop: threading.Event) -> None:
        """Run rounds until `stop` is set, even if rounds raise exceptions."""
        while not stop.is_set():
            stop.wait(self.once())

    def once(self) -> float:
        """Run one round, and return the seconds to pause after it, even if the round raised an exception."""
        try:
            more = self._round()
        except Exception as error:
            return self.note_failure(error)
        self.note_success()
        return 0 if more else self.pause


def perform(duties: Sequence[Duty], stop: threading.Event) -> None:
    """Perform duties until `stop` is set, each in its own thread. End the process if a duty is stuck."""
    threads = [threading.Thread(target=duty.perform, args=(stop,), name=duty.name, daemon=True) for duty in duties]
    for thread in threads:
        thread.start()
    guard(duties, stop)
    for thread in threads:
        thread.join(STOP_SECONDS)


def guard(duties: Sequence[Rounds], stop: threading.Event, end: Callable[[int], object] = os._exit) -> None:
    """Check these duties until `stop` is set, and end the process if two consecutive checks find that a duty is stuck.

    If the process was suspended, all of its duties are late, so each duty first gets time to finish a round.
    """
    suspects: list[Rounds] = []
    while not stop.wait(CHECK_PAUSE):
        stuck = [duty for duty in duties if duty.is_stuck()]
        for duty in stuck:
            if duty in suspects:
                _logger.critical(
                    "%s has been stuck for %.0f s: this process will exit so that it can be restarted",
                    duty.name,
                    STUCK_SECONDS,
                )
                # Print the stack of each thread. A stack shows lines of code, but no values.
                faulthandler.dump_traceback()
                end(STUCK_CODE)
        suspects = stuck
