"""Clock events: table events about clocks and seats while a game is running. All these events are public.

A turn's clock starts with `ClockStarted` and ends with `ClockStopped`. If the deadline moves while the clock is
running, an event records the new deadline. The log therefore contains all deadlines, and nobody has to recompute them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

StopRecords = list[dict[str, Any]]
"""Stops as dicts with `begin`, `until` and `reason`, in order."""


class ClockStarted(NamedTuple):
    """A turn began.

    `allowance` is the turn's time in ms. `stops` lists the periods before the deadline in which the clock does not run,
    with the reasons. `zone` and `sleep` are the habits of the seat's player when the turn begins. A later change of
    habits applies from the next turn on.
    """

    seat: int
    deadline: int
    allowance: int
    stops: StopRecords
    zone: str
    sleep: list[str] | None = None


class ClockStopped(NamedTuple):
    """A turn ended.

    `used` is the time that the clock counted, and `bank` is the time left for the next turn (both in ms).
    """

    seat: int
    used: int
    bank: int


class DeadlineMoved(NamedTuple):
    """A turn's deadline moved.

    `reason` is vacation, outage, extension or pause. `extra` is the total extra time granted for the turn, in ms.
    """

    seat: int
    deadline: int
    reason: str
    extra: int
    stops: StopRecords


class SeatReminded(NamedTuple):
    """A player was reminded that `left` percent of the turn's time is left."""

    seat: int
    left: int


class SeatTimedOut(NamedTuple):
    """A turn's time ran out. `misses` counts the seat's timeouts since its last move."""

    seat: int
    misses: int


class SeatGivenToBot(NamedTuple):
    """A seat was given to a bot, which moves until the player takes the seat back.

    `revision` has the same meaning as in `bot-seated`.
    """

    seat: int
    bot: str
    revision: int | None = None


class SeatTakenBack(NamedTuple):
    """A player took a seat back from a bot."""

    seat: int
    player: str


class SeatOpened(NamedTuple):
    """A seat was opened: its player lost the seat, and another player can take it."""

    seat: int
    player: str


class SeatSubstituted(NamedTuple):
    """A player sat down in a seat that had been opened."""

    seat: int
    player: str


class PauseAsked(NamedTuple):
    """A seat asked for a pause. The request lapses when the seat makes its next move.

    The game pauses once all players have asked for a pause.
    """

    seat: int


class GamePaused(NamedTuple):
    """The game paused: the clocks stop, and nobody can move, until a player resumes the game."""


class GameResumed(NamedTuple):
    """A seat resumed the game."""

    seat: int


class ExtensionAsked(NamedTuple):
    """The seat to move asked for `extra` ms of additional time."""

    seat: int
    extra: int


class ExtensionGranted(NamedTuple):
    """A seat agreed to an extension. The extension takes effect when every other player has agreed."""

    seat: int


class ClockAdvanced(NamedTuple):
    """The owner advanced the clock for a test, so the clock skipped `by` ms of the turn's time."""

    seat: int
    by: int
    deadline: int
    stops: StopRecords


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
    | ClockAdvanced
)
