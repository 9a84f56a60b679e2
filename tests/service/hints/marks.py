"""Jobs for tests, run by a real worker: they leave marks on the log server, which stays up when the queue is lost."""

from __future__ import annotations

import os

from service.config import Config
from service.hints.queue import QUICK, THINKING, Hints, Kind, connect


def mark() -> None:
    """Take a hint and leave a mark."""
    _mark(_taken())


def mark_thinking() -> None:
    """Take a hint for a bot that searches, and leave a mark in a separate list."""
    _mark(_taken(THINKING), "thoughts")


def begin_and_wait() -> None:
    """Report that the job has begun, wait for a signal, and leave a mark."""
    game = _taken()
    with connect(os.environ["REDIS_URL"], 60) as server:
        server.rpush("begun", game)
        server.blpop(["word"], 25)
    _mark(game)


def fail() -> None:
    """Take a hint, leave a mark and fail."""
    _mark(_taken())
    raise RuntimeError("a bot that cannot play")


def _taken(kind: Kind = QUICK) -> str:
    hint = Hints(Config.from_env()).take(kind)
    assert hint is not None
    return hint.game


def _mark(game: str, name: str = "marks") -> None:
    with connect(os.environ["REDIS_URL"], 60) as server:
        server.rpush(name, game)
