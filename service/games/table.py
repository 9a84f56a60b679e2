"""The table: who sits where before, during and after a game, and the game's clock."""

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
from .events import BotSeated, SeatLeft, SeatTaken, TableCancelled, TableEvent, TableOpened

OPEN, RUNNING, FINISHED, CANCELLED = "open", "running", "finished", "cancelled"
OVER = (FINISHED, CANCELLED)
"""Nothing is appended to the log of such a game any more."""


class Seat(NamedTuple):
    """One seat: taken by a player, given to a bot, or free; with both, the bot moves until the player is back.

    `given_at` is when a bot was given the seat of a player who still has it (ms since the epoch), None otherwise.
    """

    player: str | None = None
    bot: str | None = None
    entropy: str = ""
    given_at: int | None = None

    @property
    def free(self) -> bool:
        """Whether somebody may still sit here."""
        return self.player is None and self.bot is None


@dataclass
class Table:
    """Who sits where, as the table events of a log say."""

    opened: TableOpened
    seats: list[Seat] = field(default_factory=list)
    cancelled: bool = False
    clock: GameClock | None = None

    def apply(self, at: int, event: TableEvent) -> None:
        """Change the table by one more event of its log, which was stored at a time (ms since the epoch)."""
        match event:
            case ClockStarted() | ClockStopped():
                pass  # Nearly all events of a game with a clock are of these, and they seat nobody.
            case SeatTaken(seat, player, entropy):
                self.seats[seat] = Seat(player=player, entropy=entropy)
            case BotSeated(seat, bot):
                self.seats[seat] = Seat(bot=bot)
            case SeatLeft(seat, _):
                self.seats[seat] = Seat()
            case TableCancelled():
                self.cancelled = True
            case SeatGivenToBot(seat, bot):
                self.seats[seat] = self.seats[seat]._replace(bot=bot, given_at=at)
            case SeatTakenBack(seat, _):
                self.seats[seat] = self.seats[seat]._replace(bot=None, given_at=None)
            case SeatOpened(seat, _):
                self.seats[seat] = self.seats[seat]._replace(player=None, given_at=None)
            case SeatSubstituted(seat, player):
                self.seats[seat] = self.seats[seat]._replace(player=player)
        if isinstance(event, ClockEvent):
            assert self.clock is not None, "only a game with a clock has events of one"
            self.clock.apply(at, event)

    def after(self, at: int, events: Iterable[TableEvent]) -> Table:
        """Return the table after some more events of its log; this one stays as it is."""
        table = Table(self.opened, self.seats[:], self.cancelled, None if self.clock is None else self.clock.copy())
        for event in events:
            table.apply(at, event)
        return table

    def seat_of(self, player: str) -> int | None:
        """Return the seat that a player sits in."""
        return next((number for number, seat in enumerate(self.seats) if seat.player == player), None)

    def players(self) -> list[str]:
        """Return the players at the table, in seat order."""
        return [seat.player for seat in self.seats if seat.player is not None]

    @property
    def free_seats(self) -> list[int]:
        """Return the seats that nobody has taken."""
        return [number for number, seat in enumerate(self.seats) if seat.free]


def lay_table(opened: TableOpened) -> Table:
    """Return the table that a log's first event opens, every seat free."""
    table = Table(opened, [Seat() for _ in range(opened.seats)])
    if opened.clock is not None:
        settings = clock_from_record(opened.clock)
        table.clock = GameClock(settings, [settings.first_bank] * opened.seats, [0] * opened.seats)
    return table
