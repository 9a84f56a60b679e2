"""Interrupts: until a command handles signals itself, a signal ends the process without a traceback."""

from __future__ import annotations

import os
import signal

LASTING = ("serve", "web", "worker", "thinker", "clock", "deliver")
"""Commands that run until SIGINT or SIGTERM. A signal is the normal way to end these commands."""
INTERRUPTED = 130
"""The exit code of any other command after Ctrl-C, following the convention of shells."""
OTHER_LAYOUT_CODE = 78
"""The exit code of a command that does not support the store's layout (EX_CONFIG of sysexits.h)."""


def end_quietly(command: str | None) -> None:
    """Make signals end the process immediately, with the exit code that `command` would return.

    Commands that run until they get a signal replace these handlers when they start. For other commands,
    `let_interrupt` restores the handler of SIGINT.
    """
    status = 0 if command in LASTING else INTERRUPTED
    for signum in (signal.SIGINT, signal.SIGTERM) if command in LASTING else (signal.SIGINT,):
        signal.signal(signum, lambda *_: os._exit(status))


def let_interrupt(command: str | None) -> None:
    """Make Ctrl-C raise KeyboardInterrupt again, for a command that ends without a signal."""
    if command not in LASTING:
        signal.signal(signal.SIGINT, signal.default_int_handler)
