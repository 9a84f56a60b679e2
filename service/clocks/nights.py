"""Nights and days off: when a player sleeps, in the player's time zone, and the weekdays on which no clock runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from zoneinfo import ZoneInfo, reset_tzpath

from .reckoning import Stop

NIGHT, DAY_OFF = "night", "day-off"
BY_HABIT = frozenset({NIGHT, DAY_OFF})
"""The reasons for recurring stops."""
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LONGEST_NIGHT = 12
"""The maximum length of a night, in hours. Because of this maximum, a clock runs for part of each day, except on days
off."""

# Every zone comes from the package tzdata. The operating system's time zones may be older or newer, and could
# lead to different nights.
reset_tzpath(())
ZoneInfo.clear_cache()


class Habits(NamedTuple):
    """A player's time zone, and the beginning and end of the player's night, such as `23:00` and `07:00`.

    `sleep` is None if the player has not set a night.
    """

    zone: str = "UTC"
    sleep: tuple[str, str] | None = None


def is_zone(name: str) -> bool:
    """Return whether a name is in the IANA time zone database.

    The database comes from the tzdata package, so the result is the same on every machine.

    >>> is_zone("Europe/Rome"), is_zone("Rome"), is_zone("../etc/passwd"), is_zone("localtime")
    (True, False, False, False)
    """
    return name in _zones()


def night_hours(sleep: tuple[str, str]) -> float:
    """Return the length of a night in hours of local time.

    >>> night_hours(("23:00", "07:30")), night_hours(("13:00", "14:00"))
    (8.5, 1.0)
    """
    begin, end = (_minutes(text) for text in sleep)
    return ((end - begin) % (24 * 60)) / 60


def stops_by_habit(since: int, habits: Habits, days_off: Collection[str]) -> Iterator[Stop]:
    """Yield all nights and days off that end after `since`, in the order in which they begin. The iterator is endless.

    A day off is a calendar day in the player's zone. If local clocks go forward or back during a night, the night is
    shorter or longer by that amount. A night that falls entirely within the hour that local clocks skip is left out.

    >>> from itertools import islice
    >>> dawn = 1_772_323_200_000  # 2026-03-01 00:00 UTC, a Sunday
    >>> stops = stops_by_habit(dawn, Habits("UTC", ("22:00", "06:00")), ["monday"])
    >>> [(stop.begin - dawn) // 3_600_000 for stop in islice(stops, 3)]
    [-2, 22, 24]
    """
    if habits.sleep is None and not days_off:
        return
    zone = ZoneInfo(habits.zone)
    day = datetime.fromtimestamp(since / 1000, zone).date() - timedelta(days=1)
    while True:
        stops = []
        if WEEKDAYS[day.weekday()] in days_off:
            stops.append(Stop(_at(day, time(), zone), _at(day + timedelta(days=1), time(), zone), DAY_OFF))
        if habits.sleep is not None:
            begin, end = (time.fromisoformat(text) for text in habits.sleep)
            wakes = day if begin < end else day + timedelta(days=1)
            stops.append(Stop(_at(day, begin, zone), _at(wakes, end, zone), NIGHT))
        yield from sorted(stop for stop in stops if stop.until > max(since, stop.begin))
        day += timedelta(days=1)


def _at(day: date, hour: time, zone: ZoneInfo) -> int:
    """Return when clocks in `zone` show `hour` on `day`, in ms since the epoch.

    If clocks show this hour twice on that day, return the earlier time (PEP 495).
    """
    return round(datetime.combine(day, hour, zone).astimezone(UTC).timestamp() * 1000)


def _minutes(text: str) -> int:
    hour = time.fromisoformat(text)
    return 60 * hour.hour + hour.minute


@cache
def _zones() -> frozenset[str]:
    return frozenset(files("tzdata").joinpath("zones").read_text().split())
