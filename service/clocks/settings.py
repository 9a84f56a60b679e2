"""Settings: the clock that is chosen when a game is opened, and what happens to the seat of an absent player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .reckoning import SECOND

PER_MOVE, BANK = "per-move", "bank"
KINDS = (PER_MOVE, BANK)

PASS, BOT, OPEN_SEAT, RESIGN = "pass", "bot", "open-seat", "resign"
AT_TIMEOUT = (PASS, BOT, OPEN_SEAT, RESIGN)

SHORTEST, LONGEST = 5 * 60, 14 * 86_400
"""The minimum and maximum number of seconds for a move, or for a bank at the start."""
MOST_MISSES = 10
SLEEPLESS = 12 * 3_600
"""Seconds; nights and vacations do not stop a clock that gives less than this for a move, unless settings say so."""


class ClockSettings(NamedTuple):
    """The settings of a clock. Spans of time are in seconds, because people choose them.

    `seconds` is the time for each move (per-move), or in each bank at the start (bank); a bank gains `increment` with
    every move and never holds more than `cap`. `days_off` are weekdays on which no clock runs; `sleep_hours` and
    `vacation` are whether players' nights and vacations stop the clock. After `misses` timeouts in a row, `at_timeout`
    decides what happens to the seat; before that, and always with `pass`, the least committing move is made for it.
    `bot` is the bot to which a seat is given.
    """

    kind: str
    seconds: int
    increment: int
    cap: int
    days_off: tuple[str, ...]
    sleep_hours: bool
    vacation: bool
    at_timeout: str
    misses: int
    bot: str

    @property
    def longest(self) -> int:
        """The longest time of a turn without extensions, in ms; extensions may add at most the same again."""
        return (self.cap if self.kind == BANK else self.seconds) * SECOND

    @property
    def first_bank(self) -> int:
        """The time in each bank (ms) when the game begins; 0 if there are no banks."""
        return self.seconds * SECOND if self.kind == BANK else 0

    def allowance(self, bank: int) -> int:
        """Return the time for a turn (ms) of a seat with this time in its bank (ms)."""
        return bank if self.kind == BANK else self.seconds * SECOND

    def after_move(self, bank: int, used: int) -> int:
        """Return the time in the bank (ms) after a move that used `used` ms of it; 0 if there are no banks."""
        if self.kind != BANK:
            return 0
        return min(self.cap * SECOND, max(0, bank - used) + self.increment * SECOND)


def to_record(settings: ClockSettings) -> dict[str, Any]:
    """Return settings as a plain dict."""
    return {**settings._asdict(), "days_off": list(settings.days_off)}


def from_record(record: Mapping[str, Any]) -> ClockSettings:
    """Return the settings in a dict. Raises: TypeError, KeyError."""
    return ClockSettings(**{**record, "days_off": tuple(record["days_off"])})
