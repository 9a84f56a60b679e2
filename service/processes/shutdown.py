"""How a process ends that works through jobs: promptly at SIGTERM or SIGINT, and after the job at hand."""

from __future__ import annotations

import os
import signal
import threading
import time

SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE = 2.0
"""Seconds that everything except a job may take once the process was asked to end."""
REPEATED = 1.0
"""Seconds within which a second signal counts as the first one, sent twice."""


class Ending:
    """The end of this process, which a signal asks for at any moment.

    `asked` is set at the first signal. A process that has not ended `GRACE` seconds later, because a server does not
    answer or a name is being looked up, is ended with status 0; `busy`, the lock that a job holds while it runs, is
    waited for. A second signal does not wait for the job.

    A thread takes the signals: a handler would run only after the call in which the main thread is stuck.
    """

    def __init__(self) -> None:
        """Nothing has been asked yet."""
        self.asked = threading.Event()
        self.busy = threading.Lock()

    def watch(self) -> None:
        """Take the signals from now on. To be called in the main thread, before it starts others."""
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        threading.Thread(target=self._take_signals, name="signals", daemon=True).start()

    def _take_signals(self) -> None:
        signal.sigwait(SIGNALS)
        first = time.monotonic()
        self.asked.set()
        threading.Thread(target=self._insist, name="ending", daemon=True).start()
        while True:
            signal.sigwait(SIGNALS)
            if time.monotonic() - first >= REPEATED:
                os._exit(0)

    def _insist(self) -> None:
        with self.busy:
            pass
        time.sleep(GRACE)
        # The main thread may have begun one more job just before it saw what was asked.
        with self.busy:
            os._exit(0)
