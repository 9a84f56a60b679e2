"""What happens to clocks and seats while a game runs: table events, all of them public.

A turn's clock starts with `ClockStarted` and ends with `ClockStopped`; whatever moves a deadline between them says so,
and to when. So the deadlines are in the log, and need not be reckoned again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

StopRecords = list[dict[str, Any]]
"""Stops as `{"begin", "until", "reason"}`, in order."""


class ClockStarted(NamedTuple):
    """A turn began. `allowance` is what it is given (ms), `stops` what lies on the way to its deadline, and why.

    `zone` and `sleep` are the habits of the seat's player at this moment; a later change counts from the next turn on.
    """

    seat: int
    deadline: int
    allowance: int
    stops: StopRecords
    zone: str
    sleep: list[str] | None = None


class ClockStopped(NamedTuple):
    """A turn ended. `used` is the time that counted, `bank` what is left for the next turn (both ms)."""

    seat: int
    used: int
    bank: int


class DeadlineMoved(NamedTuple):
    """A turn has another deadline. `reason` is vacation, outage, extension or pause; `extra` all that was granted."""

    seat: int
    deadline: int
    reason: str
    extra: int
    stops: StopRecords


class SeatReminded(NamedTuple):
    """So many percent of a turn's time are left."""

    seat: int
    left: int


class SeatTimedOut(NamedTuple):
    """A turn's time was over; `misses` counts these of the seat since it moved last."""

    seat: int
    misses: int


class SeatGivenToBot(NamedTuple):
    """A bot moves for a seat until its player takes it back."""

    seat: int
    bot: str


class SeatTakenBack(NamedTuple):
    """A player took a seat back from the bot."""

    seat: int
    player: str


class SeatOpened(NamedTuple):
    """A seat was taken from its player: anybody may sit down there and play on."""

    seat: int
    player: str


class SeatSubstituted(NamedTuple):
    """A player sat down on a seat that had been opened."""

    seat: int
    player: str


class PauseAsked(NamedTuple):
    """A seat wants the game to pause, until it moves. It does when every player at the table wants it."""

    seat: int


class GamePaused(NamedTuple):
    """The clocks stand still, and nobody moves, until somebody wants to go on."""


class GameResumed(NamedTuple):
    """A seat wanted to go on."""

    seat: int


class ExtensionAsked(NamedTuple):
    """The seat to move asked for so much more time (ms)."""

    seat: int
    extra: int


class ExtensionGranted(NamedTuple):
    """A seat agreed to an extension. It counts when every other player at the table has agreed."""

    seat: int


ClockEvent = (
    ClockStarted
    | ClockStopped
    | DeadlineMoved
    | SeatReminded
    | SeatTimedOut
    | SeatGivenToBot
    | SeatTakenBack
    | SeatOpened
    | SeatSubstituted
    | PauseAsked
    | GamePaused
    | GameResumed
    | ExtensionAsked
    | ExtensionGranted
)
