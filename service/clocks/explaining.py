"""Explaining: sentences that tell people how a deadline was computed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from .game_clock import EXTENSION, OUTAGE, PAUSE, Turn
from .nights import DAY_OFF, NIGHT
from .settings import BANK, ClockSettings
from .vacation import VACATION

_SECONDS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
_PRECISE = 3_600
"""Spans shorter than this number of seconds are rounded up to whole seconds. Other spans are rounded up to whole
minutes."""

TEXTS = {
    NIGHT: "paused for the night",
    DAY_OFF: "paused for a day off",
    VACATION: "paused for a vacation",
    OUTAGE: "paused because the service was down",
    PAUSE: "paused because the players agreed to a pause",
}
"""The text for each reason for a stop."""


def why(settings: ClockSettings, turn: Turn, paused: int | None) -> list[str]:
    """Return strings that explain a deadline: first the turn's time, and then each stop before the deadline.

    Times are in the player's time zone. `paused` is the time at which the current pause began, or None if the game is
    not paused.
    """
    return list(_reasons(settings, turn, paused))


def _reasons(settings: ClockSettings, turn: Turn, paused: int | None) -> Iterator[str]:
    yield f"{span(turn.allowance)} {'in the bank' if settings.kind == BANK else 'for this move'}"
    if turn.extra:
        yield f"{span(turn.extra)} more, an {EXTENSION} that the other players granted"
    if turn.advanced:
        yield f"{span(turn.advanced)} less, because the owner advanced the clock for a test"
    for stop in turn.stops:
        yield f"{TEXTS[stop.reason]} until {_moment(stop.until, turn.habits.zone)}"
    if paused is not None:
        yield f"{TEXTS[PAUSE]}, since {_moment(paused, turn.habits.zone)}"


def _moment(at: int, zone: str) -> str:
    return f"{datetime.fromtimestamp(at / 1000, ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone}"


def span(ms: int) -> str:
    """Return a span of time as text, rounded up to minutes, or to seconds if it is shorter than an hour.

    >>> span(86_400_000), span(5_401_000), span(90_001), span(10_000), span(0)
    ('1 d', '1 h 31 min', '1 min 31 s', '10 s', '0 s')
    """
    seconds = -(-ms // 1_000)
    if seconds >= _PRECISE:
        seconds = -(-seconds // 60) * 60
    parts = []
    for size, unit in _SECONDS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts) or "0 s"
