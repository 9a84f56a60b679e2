"""The table: who sits where before, during and after a game.

Table events are the service's own, stored in the same log as the game's. All of them are public; they name players by
id only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args

from engine.record import name_of_type, reader

from ..clocks.events import (
    ClockEvent,
    ClockStarted,
    ClockStopped,
    SeatGivenToBot,
    SeatOpened,
    SeatSubstituted,
    SeatTakenBack,
)
from ..clocks.game_clock import GameClock, wind_up
from ..clocks.settings import from_record as clock_from_record

OPEN, RUNNING, FINISHED, CANCELLED = "open", "running", "finished", "cancelled"
OVER = (FINISHED, CANCELLED)
"""Nothing is appended to the log of such a game any more."""


class TableOpened(NamedTuple):
    """A player opened a game. `commitment` is the SHA-256 of the game's secret seed, in hexadecimal.

    `clock` are the settings of its clock, none where nobody's time is counted.
    """

    owner: str
    edition: str
    options: dict[str, Any]
    seats: int
    start: str
    commitment: str
    construction: int
    seeded: bool
    clock: dict[str, Any] | None = None


class SeatTaken(NamedTuple):
    """A player sat down, and may have given entropy (hexadecimal) for the draws."""

    seat: int
    player: str
    entropy: str


class BotSeated(NamedTuple):
    """A bot was given a seat."""

    seat: int
    bot: str


class SeatLeft(NamedTuple):
    """A player left a seat before the game began."""

    seat: int
    player: str


class TableCancelled(NamedTuple):
    """The owner left before the game began, and the game with it."""

    player: str


SeatEvent = TableOpened | SeatTaken | BotSeated | SeatLeft | TableCancelled
TableEvent = SeatEvent | ClockEvent

_NAMES: dict[Any, str] = {kind: name_of_type(kind) for kind in get_args(TableEvent)}
TABLE_EVENTS = frozenset(_NAMES.values())
"""Types of the records that are table events; every other one is a game event."""
_READERS = {name: reader(kind, {}) for kind, name in _NAMES.items()}


def to_record(event: TableEvent) -> dict[str, Any]:
    """Return a table event as a plain dict; what is None is left out."""
    members = {name: value for name, value in event._asdict().items() if value is not None}
    return {"type": _NAMES[type(event)], **members}


def from_record(record: dict[str, Any]) -> TableEvent:
    """Return the table event that a dict records. Raises: KeyError or TypeError when it records none."""
    event: TableEvent = _READERS[record["type"]](record)
    return event


@dataclass
class Seat:
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
                self.seats[seat].bot = bot
                self.seats[seat].given_at = at
            case SeatTakenBack(seat, _):
                self.seats[seat].bot = self.seats[seat].given_at = None
            case SeatOpened(seat, _):
                self.seats[seat].player = self.seats[seat].given_at = None
            case SeatSubstituted(seat, player):
                self.seats[seat].player = player
        if isinstance(event, ClockEvent):
            assert self.clock is not None, "only a game with a clock has events of one"
            self.clock.apply(at, event)

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
    clock = None if opened.clock is None else wind_up(clock_from_record(opened.clock), opened.seats)
    return Table(opened, [Seat() for _ in range(opened.seats)], clock=clock)
