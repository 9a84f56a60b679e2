"""Jobs for tests, run by a real worker: they leave marks on the queue's server."""

from __future__ import annotations

import os

from service.jobs.queue import connect


def mark(game: str) -> None:
    """Leave a mark."""
    with connect(os.environ["QUEUE_URL"], 60) as server:
        server.rpush("marks", game)


def begin_and_wait(game: str) -> None:
    """Say that the job has begun, wait for a word, and leave a mark."""
    with connect(os.environ["QUEUE_URL"], 60) as server:
        server.rpush("begun", game)
        server.blpop(["word"], 25)
    mark(game)


def fail(game: str) -> None:
    """Leave a mark and fail."""
    mark(game)
    raise RuntimeError("a bot that cannot play")
