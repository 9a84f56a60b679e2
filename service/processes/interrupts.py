"""What a signal does before a command is there to take it: it ends the process without a traceback."""

from __future__ import annotations

import os
import signal

LASTING = ("serve", "web", "worker", "clock", "deliver")
"""Commands that run until SIGINT or SIGTERM asks them to end, which is no failure."""
INTERRUPTED = 130
"""How any other command ends that Ctrl-C has stopped, as a shell counts it."""
OTHER_LAYOUT_CODE = 78
"""How a command ends that does not work with the layout of the store (EX_CONFIG of sysexits.h)."""


def end_quietly(command: str | None) -> None:
    """Let signals end the process at once, with the status that `command` would end with.

    A command that lasts replaces this when it starts; for any other, `let_interrupt` is to be called.
    """
    status = 0 if command in LASTING else INTERRUPTED
    for signum in (signal.SIGINT, signal.SIGTERM) if command in LASTING else (signal.SIGINT,):
        signal.signal(signum, lambda *_: os._exit(status))


def let_interrupt(command: str | None) -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, in a command that does not last."""
    if command not in LASTING:
        signal.signal(signal.SIGINT, signal.default_int_handler)
