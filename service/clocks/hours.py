"""Hours: when a player is away, either regularly (at night and on days off) or on vacation."""

from __future__ import annotations

from typing import NamedTuple

import orjson

from .nights import LONGEST_NIGHT, Habits, is_zone, night_hours
from .vacation import Vacation

DISTANT = 10**14
"""An upper limit for times, in ms since the epoch: the year 5138."""


class Hours(NamedTuple):
    """A player's habits and vacation. If `auto_vacation` is true, a vacation begins automatically before a timeout."""

    habits: Habits
    vacation: Vacation
    auto_vacation: bool


def of_newcomer(registered: int) -> Hours:
    """Return the hours of a player who has not set any. `registered` is in ms since the epoch."""
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
    """Parse hours from JSON text. Raises: LookupError, TypeError or ValueError if the hours are not valid."""
    record = orjson.loads(text)
    sleep = None if record["sleep"] is None else tuple(record["sleep"])
    hours = Hours(Habits(record["zone"], sleep), Vacation(**record["vacation"]), record["auto_vacation"])
    if not is_zone(hours.habits.zone) or not all(0 <= ms < DISTANT for ms in hours.vacation):
        raise ValueError("the stored hours are not valid")
    if sleep is not None and not 0 < night_hours(sleep) <= LONGEST_NIGHT:
        raise ValueError("the stored night is not valid")
    return hours
