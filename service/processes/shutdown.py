"""Shutdown: lets a process finish its current job after SIGTERM or SIGINT, and then ends the process."""

from __future__ import annotations

import os
import signal
import threading
import time

SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE = 2.0
"""The maximum number of seconds from the signal to the end of the process, not counting its current job."""
REPEAT_SECONDS = 1.0
"""A second signal within this number of seconds counts as a repetition of the first signal."""


class Ending:
    """The shutdown of this process, which a signal can request at any time.

    The first signal sets `asked`. The current job, which holds the `busy` lock while it runs, may still finish. If the
    process is still running `GRACE` seconds after that, for example because a server does not answer, it exits with
    code 0. After a second signal, the process does not wait for the current job.

    A separate thread waits for the signals. A signal handler would run in the main thread, and only after that thread's
    current blocking call has returned.
    """

    def __init__(self) -> None:
        """Initially, no shutdown is requested."""
        self.asked = threading.Event()
        self.busy = threading.Lock()

    def watch(self) -> None:
        """Handle the signals from now on. Call this in the main thread, before it starts other threads."""
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        threading.Thread(target=self._take_signals, name="signals", daemon=True).start()

    def _take_signals(self) -> None:
        signal.sigwait(SIGNALS)
        first_signal_at = time.monotonic()
        self.asked.set()
        threading.Thread(target=self._insist, name="ending", daemon=True).start()
        while True:
            signal.sigwait(SIGNALS)
            if time.monotonic() - first_signal_at >= REPEAT_SECONDS:
                os._exit(0)

    def _insist(self) -> None:
        with self.busy:
            pass
        time.sleep(GRACE)
        # The main thread may have started one more job just before it saw the request.
        with self.busy:
            os._exit(0)
