"""Duties: what a process does round after round for as long as it lives, such as keeping time or sending hints.

A failed round never ends a duty: it is logged, and made again after a pause. A duty that has not finished a round for a
minute ends its whole process, so that whoever supervises the process starts it again; but not while a server that it
needs cannot be reached, because a new process could not reach it either.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from ..store.errors import StoreUnavailable

STUCK = 60.0
"""Seconds without a finished round after which a duty is stuck, if no outage explains it."""
LONGEST_PAUSE = 10.0
"""Seconds between two rounds that fail although the servers work, at most."""
CHECK = 5.0
"""Seconds between two looks at whether a duty is stuck."""
ENDING = 10.0
"""Seconds that a round may take to end when the process ends."""
STUCK_CODE = 70
"""How a process ends whose duty is stuck (EX_SOFTWARE of sysexits.h)."""

_logger = logging.getLogger(__name__)


class Rounds:
    """What became of the rounds of a duty: whether it is being done, and how long to rest after a failure."""

    def __init__(
        self,
        name: str,
        pause: float,
        *,
        outages: tuple[type[Exception], ...] = (StoreUnavailable,),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the seconds between two rounds, and the exceptions that say that a server is out of reach or refuses."""
        self.name = name
        self.pause = pause
        self._outages = outages
        self._now = now
        self._failure: str | None = None
        self._rest = pause
        self.finished = self._blocked = now()
        """When a round was finished last (monotonic seconds)."""

    def succeeded(self) -> None:
        """Note that a round was finished."""
        self.finished, self._rest = self._now(), self.pause
        if self._failure is not None:
            _logger.warning("%s works again", self.name)
            self._failure = None

    def failed(self, error: Exception) -> float:
        """Note that a round failed, log it where it did not fail like this before, and return how long to rest (s)."""
        outage = isinstance(error, self._outages)
        if outage:
            self.blocked()
        failure = f"{type(error).__name__}: {error}"
        if failure != self._failure:
            level = logging.WARNING if outage else logging.ERROR
            _logger.log(
                level, "%s failed and will be retried: %s", self.name, failure, exc_info=None if outage else error
            )
        self._failure = failure
        if outage:  # The server may be back at any moment, and waiting for it costs little.
            return self.pause
        rest, self._rest = self._rest, min(2 * self._rest, LONGEST_PAUSE)
        return rest

    def blocked(self) -> None:
        """Note that an outage is in the way of a round, whoever has found that out."""
        self._blocked = self._now()

    def is_stuck(self) -> bool:
        """Tell whether no round has been finished for a minute although no outage was in the way."""
        return self._now() - max(self.finished, self._blocked) > STUCK


class Duty(Rounds):
    """One thing that a process does round after round, in a thread of its own."""

    def __init__(self, name: str, round: Callable[[], bool], pause: float, **known: Any) -> None:
        """Take what makes one round and returns whether there is more to do at once; the rest is as in `Rounds`."""
        super().__init__(name, pause, **known)
        self._round = round

    def perform(self, stop: threading.Event) -> None:
        """Make round after round until `stop` is set, whatever happens in them."""
        while not stop.is_set():
            stop.wait(self.once())

    def once(self) -> float:
        """Make one round, whatever happens in it, and return for how many seconds to rest after it."""
        try:
            more = self._round()
        except Exception as error:
            return self.failed(error)
        self.succeeded()
        return 0 if more else self.pause


def perform(duties: Sequence[Duty], stop: threading.Event) -> None:
    """Perform duties until `stop` is set, each in a thread of its own; end the process where one of them is stuck."""
    threads = [threading.Thread(target=duty.perform, args=(stop,), name=duty.name, daemon=True) for duty in duties]
    for thread in threads:
        thread.start()
    guard(duties, stop)
    for thread in threads:
        thread.join(ENDING)


def guard(duties: Sequence[Rounds], stop: threading.Event, end: Callable[[int], object] = os._exit) -> None:
    """Look at some duties until `stop` is set, and end the process where one of them is stuck, twice in a row.

    A process that was suspended finds all its duties late: each is given the time to finish a round.
    """
    suspects: list[Rounds] = []
    while not stop.wait(CHECK):
        stuck = [duty for duty in duties if duty.is_stuck()]
        for duty in stuck:
            if duty in suspects:
                _logger.critical(
                    "%s has been stuck for %.0f s: this process exits so that it can be restarted", duty.name, STUCK
                )
                # Where each thread stands; this shows lines of code and no values.
                faulthandler.dump_traceback()
                end(STUCK_CODE)
        suspects = stuck
