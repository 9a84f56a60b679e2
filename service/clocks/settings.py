"""Settings: the clock that a table chooses when its game is opened, and what it does about somebody who is absent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .reckoning import SECOND

PER_MOVE, BANK = "per-move", "bank"
KINDS = (PER_MOVE, BANK)

PASS, BOT, OPEN_SEAT, RESIGN = "pass", "bot", "open-seat", "resign"
AT_TIMEOUT = (PASS, BOT, OPEN_SEAT, RESIGN)

SHORTEST, LONGEST = 5 * 60, 14 * 86_400
"""Seconds that a move, or a bank at the start, may be given."""
MOST_MISSES = 10
SLEEPLESS = 12 * 3_600
"""A table whose clock gives less for a move than this counts every hour, unless it says otherwise."""


class ClockSettings(NamedTuple):
    """A clock. Spans of time are in seconds, since people choose them.

    `seconds` is what each move is given (per-move) or what is in each bank at the start (bank); a bank gains
    `increment` with every move and never holds more than `cap`. `days_off` are weekdays on which no clock runs;
    `sleep_hours` and `vacation` say whether players' nights and vacations stop it. After `misses` timeouts in a row
    `at_timeout` says what becomes of the seat; before that, and with `pass` always, the least committing move is made
    for it. `bot` is the bot that takes a seat.
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
        """The most that a turn may be given without consent, in ms; also the most by which consent may extend it."""
        return (self.cap if self.kind == BANK else self.seconds) * SECOND

    @property
    def first_bank(self) -> int:
        """What is in each bank (ms) when the game begins; 0 where there are no banks."""
        return self.seconds * SECOND if self.kind == BANK else 0

    def allowance(self, bank: int) -> int:
        """Return what a turn is given, in ms, by a seat with so much (ms) in its bank."""
        return bank if self.kind == BANK else self.seconds * SECOND

    def after_move(self, bank: int, used: int) -> int:
        """Return what is in the bank (ms) after a move that used so much of it; 0 where there are no banks."""
        if self.kind != BANK:
            return 0
        return min(self.cap * SECOND, max(0, bank - used) + self.increment * SECOND)


def to_record(settings: ClockSettings) -> dict[str, Any]:
    """Return settings as a plain dict."""
    return {**settings._asdict(), "days_off": list(settings.days_off)}


def from_record(record: Mapping[str, Any]) -> ClockSettings:
    """Return the settings that a dict records. Raises: TypeError, KeyError."""
    return ClockSettings(**{**record, "days_off": tuple(record["days_off"])})
