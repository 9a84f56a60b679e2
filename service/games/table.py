"""The table: who has which seat before, during and after a game, and the game's clock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ..clocks.events import (
    ClockEvent,
    ClockStarted,
    ClockStopped,
    SeatGivenToBot,
    SeatOpened,
    SeatSubstituted,
    SeatTakenBack,
)
from ..clocks.game_clock import GameClock
from ..clocks.settings import from_record as clock_from_record
from .events import (
    NO_HINTS,
    BotSeated,
    GameCancelled,
    HintAsked,
    SeatLeft,
    SeatTaken,
    TableCancelled,
    TableEvent,
    TableOpened,
)

OPEN, RUNNING, FINISHED, CANCELLED = "open", "running", "finished", "cancelled"
OVER = (FINISHED, CANCELLED)
"""The statuses of games whose logs get no more commits."""


WITHOUT_CLOCK = (SeatGivenToBot, SeatTakenBack)
"""Clock events that a game without a clock may have: the host gave a seat to a bot, or the seat's player took it
back."""


class Seat(NamedTuple):
    """A seat, with a player, a bot, both, or neither.

    If it has both, the bot moves until the player takes the seat back. `given_at` is the time at which the player's
    seat was given to the bot (ms since the epoch), or None if the seat was not given.
    """

    player: str | None = None
    bot: str | None = None
    entropy: str = ""
    given_at: int | None = None
    revision: int | None = None
    """The bot's revision, as the log names it."""

    @property
    def free(self) -> bool:
        """Whether a player may still take the seat."""
        return self.player is None and self.bot is None


class AskedHint(NamedTuple):
    """A hint that a seat has asked for: the version of the game that it is for, and when the seat asked (ms)."""

    seat: int
    version: int
    at: int


@dataclass
class Table:
    """A game's seats and clock, computed from the table events of its log.

    `cancelled` is the event that cancelled the game, or None if the game was not cancelled. `hint` is the hint that was
    asked for in the current position. A game event removes the hint. The table does not see game events, so the
    argument `moved` of `after` says whether there were any.
    """

    opened: TableOpened
    seats: list[Seat] = field(default_factory=list)
    cancelled: TableCancelled | GameCancelled | None = None
    clock: GameClock | None = None
    hint: AskedHint | None = None

    @property
    def hints(self) -> str:
        """Whether players may ask for hints: one of `HINT_RULES`."""
        return self.opened.hints or NO_HINTS

    def apply(self, at: int, event: TableEvent) -> None:
        """Apply one more event of the log. `at` is the time of its commit (ms since the epoch)."""
        match event:
            case ClockStarted() | ClockStopped():
                pass  # Most table events are of these types. They change no seat.
            case SeatTaken(seat, player, entropy):
                self.seats[seat] = Seat(player=player, entropy=entropy)
            case BotSeated(seat, bot, revision):
                self.seats[seat] = Seat(bot=bot, revision=revision)
            case SeatLeft(seat, _):
                self.seats[seat] = Seat()
            case TableCancelled() | GameCancelled():
                self.cancelled = event
            case HintAsked(seat, version):
                self.hint = AskedHint(seat, version, at)
            case SeatGivenToBot(seat, bot, revision):
                self.seats[seat] = self.seats[seat]._replace(bot=bot, given_at=at, revision=revision)
            case SeatTakenBack(seat, _):
                self.seats[seat] = self.seats[seat]._replace(bot=None, given_at=None, revision=None)
            case SeatOpened(seat, _):
                self.seats[seat] = self.seats[seat]._replace(player=None, given_at=None)
            case SeatSubstituted(seat, player):
                self.seats[seat] = self.seats[seat]._replace(player=player)
        if isinstance(event, ClockEvent) and not (self.clock is None and isinstance(event, WITHOUT_CLOCK)):
            assert self.clock is not None, "only a game with a clock has events of one"
            self.clock.apply(at, event)

    def after(self, at: int, events: Iterable[TableEvent], *, moved: bool = False) -> Table:
        """Return the table after some more events of its log.

        The table on which the method is called is not modified. `moved` says whether the same commit has game events.
        """
        clock = None if self.clock is None else self.clock.copy()
        table = Table(self.opened, self.seats[:], self.cancelled, clock, None if moved else self.hint)
        for event in events:
            table.apply(at, event)
        return table

    def seat_of(self, player: str) -> int | None:
        """Return the seat of a player, or None if the player has no seat."""
        return next((number for number, seat in enumerate(self.seats) if seat.player == player), None)

    def players(self) -> list[str]:
        """Return the players at the table, in seat order."""
        return [seat.player for seat in self.seats if seat.player is not None]

    @property
    def free_seats(self) -> list[int]:
        """The seats that have neither a player nor a bot."""
        return [number for number, seat in enumerate(self.seats) if seat.free]


def empty_table(opened: TableOpened) -> Table:
    """Return the table that the first event of a log opens. Every seat is free."""
    table = Table(opened, [Seat() for _ in range(opened.seats)])
    if opened.clock is not None:
        settings = clock_from_record(opened.clock)
        table.clock = GameClock(settings, [settings.first_bank] * opened.seats, [0] * opened.seats)
    return table
