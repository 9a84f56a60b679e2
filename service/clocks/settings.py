"""A game's clock settings, chosen when the game is opened.

The settings also define what happens to an absent player's seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .reckoning import SECOND

PER_MOVE, BANK = "per-move", "bank"
KINDS = (PER_MOVE, BANK)

PASS, BOT, OPEN_SEAT, RESIGN = "pass", "bot", "open-seat", "resign"
AT_TIMEOUT = (PASS, BOT, OPEN_SEAT, RESIGN)

SHORTEST, LONGEST = 10, 14 * 86_400
"""The minimum and maximum number of seconds for a move, or for a bank at the start."""
SHORTEST_INCREMENT = 10
"""The minimum number of seconds that a bank gains with each move."""
SHORTEST_EXTENSION = 10
"""The minimum length of an extension, in seconds."""
MOST_MISSES = 10
SLEEPLESS = 12 * 3_600
"""If the time for a move is shorter than this number of seconds, nights and vacations stop the clock only if the game's
settings say so explicitly."""


class ClockSettings(NamedTuple):
    """A clock's settings. Durations are in seconds, because people choose these values.

    With a per-move clock, `seconds` is the time for each move. With a bank clock, `seconds` is the time in each bank at
    the start. A bank gains `increment` with every move, and never contains more than `cap`. `days_off` lists the
    weekdays on which no clock runs. `sleep_hours` and `vacation` say whether players' nights and vacations stop the
    clock.

    After `misses` consecutive timeouts, `at_timeout` determines what happens to the seat. If a bot takes over the seat,
    `bot` is that bot. At earlier timeouts, the service makes the least committing move for the seat, such as a pass. If
    `at_timeout` is `pass`, the service makes such a move at every timeout.
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
        """The maximum time for a turn without extensions, in ms.

        All extensions of a turn together can add at most the same amount of time again.
        """
        return (self.cap if self.kind == BANK else self.seconds) * SECOND

    @property
    def first_bank(self) -> int:
        """The time in each bank when the game begins, in ms, or 0 if there are no banks."""
        return self.seconds * SECOND if self.kind == BANK else 0

    def allowance(self, bank: int) -> int:
        """Return the time for a turn, given the time in the seat's bank, both in ms."""
        return bank if self.kind == BANK else self.seconds * SECOND

    def after_move(self, bank: int, used: int) -> int:
        """Return the time in the bank, in ms, after a move that took `used` ms, or 0 if there are no banks."""
        if self.kind != BANK:
            return 0
        return min(self.cap * SECOND, max(0, bank - used) + self.increment * SECOND)


def to_record(settings: ClockSettings) -> dict[str, Any]:
    """Convert settings to a plain dict."""
    return {**settings._asdict(), "days_off": list(settings.days_off)}


def from_record(record: Mapping[str, Any]) -> ClockSettings:
    """Create settings from a plain dict. Raises: TypeError, KeyError."""
    return ClockSettings(**{**record, "days_off": tuple(record["days_off"])})
