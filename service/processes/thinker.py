"""The thinker process: a worker that makes only the moves of search bots, one at a time."""

from __future__ import annotations

from ..config import Config
from ..hints.queue import THINKING
from . import worker

NICENESS = 15
"""The increment of a thinker's nice value, which gives workers' quick bots priority."""


def run(config: Config) -> None:
    """Run the same loop as `worker.run`. Raises: OtherLayout as soon as a job raises it."""
    worker.run(config, THINKING, NICENESS)
