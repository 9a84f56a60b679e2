"""Hours: when a player is not there to play, by habit or on vacation."""

from __future__ import annotations

from typing import NamedTuple

import orjson

from .habits import Habits
from .vacation import Vacation


class Hours(NamedTuple):
    """A player's habits and vacation; with `auto_vacation` one begins by itself before a timeout."""

    habits: Habits
    vacation: Vacation
    auto_vacation: bool


def of_newcomer(registered: int) -> Hours:
    """Return the hours of a player who has said nothing about them since registering (ms since the epoch)."""
    return Hours(Habits(), Vacation(0, registered), auto_vacation=False)


def dumps(hours: Hours) -> bytes:
    """Return hours as JSON."""
    return orjson.dumps(
        {
            "zone": hours.habits.zone,
            "sleep": hours.habits.sleep,
            "vacation": hours.vacation._asdict(),
            "auto_vacation": hours.auto_vacation,
        }
    )


def loads(text: bytes) -> Hours:
    """Return the hours that JSON holds."""
    read = orjson.loads(text)
    habits = Habits(read["zone"], None if read["sleep"] is None else tuple(read["sleep"]))
    return Hours(habits, Vacation(**read["vacation"]), read["auto_vacation"])
