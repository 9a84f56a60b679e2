"""A time that passes when a test says so, and an app that goes by it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Flask

from service.games import Games

SECOND, HOUR = 1_000, 3_600_000
DAY = 24 * HOUR


class Time:
    """What time it is, in ms since the epoch."""

    def __init__(self, now: int = 1_795_000_000_000) -> None:
        """Begin at a time."""
        self.now = now

    def __call__(self) -> int:
        """Return what time it is."""
        return self.now

    def passes(self, ms: int) -> int:
        """Let so much time pass, and return what time it is then."""
        self.now += ms
        return self.now


def go_by(app: Flask, time: Time) -> Games:
    """Let an app go by a time, and return its games."""
    games: Games = replace(app.extensions["condottiere"], now=time)
    app.extensions["condottiere"] = games
    return games


def clock(**chosen: Any) -> dict[str, Any]:
    """Return a clock of a day for each move that nothing stops, unless asked otherwise."""
    return {"kind": "per-move", "seconds": 86_400, "sleep_hours": False, "vacation": False, **chosen}
