"""The table: which player or bot has each seat before, during and after a game, and the game's clock."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from engine import Event as GameEvent
from engine.events import BattleEnded, GameStarted, SeatResigned

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
    NAMES_SHOWN,
    NO_HINTS,
    NO_SHOWING,
    STARTS_NO_TURN,
    TALK_ALL,
    BotSeated,
    CardsShown,
    EndAsked,
    GameCancelled,
    HintAsked,
    SeatClosed,
    SeatLeft,
    SeatTaken,
    TableCancelled,
    TableEvent,
    TableHandedOver,
    TableOpened,
)

OPEN, RUNNING, FINISHED, CANCELLED = "open", "running", "finished", "cancelled"
OVER = (FINISHED, CANCELLED)
"""The statuses of games that are over. Nothing more is appended to their logs."""


WITHOUT_CLOCK = (SeatGivenToBot, SeatTakenBack)
"""Clock events that a game without a clock may have: the host gave a seat to a bot, or the seat's player took it
back."""


CHANGES_PLAYER = (SeatGivenToBot, SeatTakenBack, SeatOpened, SeatSubstituted)
"""Events after which somebody else plays the seat. An earlier request by the seat to end the game then no longer
counts."""
ENDS_BATTLE = frozenset({BattleEnded, GameStarted})
"""Game events after which the number of times that each seat has shown cards is counted from 0 again."""
CHANGES_LEADERS = ENDS_BATTLE | {SeatResigned}
"""Game events that may change who leads. After such an event, earlier requests to end the game no longer count."""


class Seat(NamedTuple):
    """A seat, with a player, a bot, both, or neither.

    If the seat has both a player and a bot, the bot moves until the player takes the seat back. `given_at` is the time
    at which the player's seat was given to the bot (ms since the epoch), or None if the seat was not given to a bot.
    """

    player: str | None = None
    bot: str | None = None
    entropy: str = ""
    given_at: int | None = None
    revision: int | None = None
    """The bot's revision, as recorded in the log."""

    @property
    def free(self) -> bool:
        """Whether a player may still take the seat."""
        return self.player is None and self.bot is None


class AskedHint(NamedTuple):
    """A seat's request for a hint: the version of the game that the hint is for, and when the seat asked (ms)."""

    seat: int
    version: int
    at: int


@dataclass
class Table:
    """A game's seats and clock, computed from the table events of its log.

    `opened` contains the game's settings, with the current owner and the current number of seats. `cancelled` is the
    event that cancelled the game, or None if the game was not cancelled. `hint` is the request for a hint in the
    current position, if any. The next game event removes this request. `shown` lists the cards that seats have shown in
    the log's current game, oldest first. The first `earlier_shown` items of `shown` were shown before the current
    battle. `end_asked` are the requests to end the game, oldest first, except requests that no longer count. `acted_at`
    is the time (ms since the epoch) of the last commit with an event whose type is not in `STARTS_NO_TURN`.
    """

    opened: TableOpened
    seats: list[Seat] = field(default_factory=list)
    cancelled: TableCancelled | GameCancelled | None = None
    clock: GameClock | None = None
    hint: AskedHint | None = None
    shown: tuple[CardsShown, ...] = ()
    earlier_shown: int = 0
    end_asked: tuple[EndAsked, ...] = ()
    acted_at: int = 0

    @property
    def showing(self) -> str:
        """Whether seats may show each other cards: one of `SHOWING_RULES`."""
        return self.opened.showing or NO_SHOWING

    def times_shown(self, seat: int) -> int:
        """Return how many times a seat has shown cards in the current battle or, between battles, since the last battle
        ended.
        """
        return sum(event.seat == seat for event in self.shown[self.earlier_shown :])

    @property
    def hints(self) -> str:
        """Whether players may ask for hints: one of `HINT_RULES`."""
        return self.opened.hints or NO_HINTS

    @property
    def talk(self) -> str:
        """Who may talk to whom: one of `TALK_RULES`."""
        return self.opened.talk or TALK_ALL

    @property
    def names(self) -> str:
        """Whether the players' names are shown: one of `NAME_RULES`."""
        return self.opened.names or NAMES_SHOWN

    def apply(self, at: int, event: TableEvent) -> None:
        """Apply the next event of the log. `at` is the time of the event's commit (ms since the epoch)."""
        match event:
            case ClockStarted() | ClockStopped():
                pass  # Most table events are of these two types, which change no seat.
            case SeatTaken(seat, player, entropy):
                self.seats[seat] = Seat(player=player, entropy=entropy)
            case BotSeated(seat, bot, revision):
                self.seats[seat] = Seat(bot=bot, revision=revision)
            case SeatLeft(seat, _):
                self.seats[seat] = Seat()
            case SeatClosed(seat):
                self._close(seat)
            case TableHandedOver(player):
                self.opened = self.opened._replace(owner=player)
            case TableCancelled() | GameCancelled():
                self.cancelled = event
            case HintAsked(seat, version):
                self.hint = AskedHint(seat, version, at)
            case CardsShown():
                self.shown = (*self.shown, event)
            case EndAsked():
                self.end_asked = (*self.end_asked, event)
            case SeatGivenToBot(seat, bot, revision):
                self.seats[seat] = self.seats[seat]._replace(bot=bot, given_at=at, revision=revision)
            case SeatTakenBack(seat, _):
                self.seats[seat] = self.seats[seat]._replace(bot=None, given_at=None, revision=None)
            case SeatOpened(seat, _):
                self.seats[seat] = self.seats[seat]._replace(player=None, given_at=None)
            case SeatSubstituted(seat, player):
                self.seats[seat] = self.seats[seat]._replace(player=player)
        if isinstance(event, CHANGES_PLAYER):
            self.end_asked = tuple(request for request in self.end_asked if request.seat != event.seat)
        if isinstance(event, ClockEvent) and not (self.clock is None and isinstance(event, WITHOUT_CLOCK)):
            assert self.clock is not None, "only a game with a clock has clock events"
            self.clock.apply(at, event)

    def _close(self, seat: int) -> None:
        """Remove a seat. The removal is safe, because no turn or position refers to a seat before the game starts."""
        del self.seats[seat]
        self.opened = self.opened._replace(seats=len(self.seats))
        if self.clock is not None:
            del self.clock.banks[seat], self.clock.misses[seat]

    def after(self, at: int, events: Collection[TableEvent], moves: Collection[GameEvent] = ()) -> Table:
        """Return the table after the next commit of its log, made at `at` (ms since the epoch).

        `events` are the commit's table events, and `moves` are its game events. The original table is not modified.
        """
        clock = None if self.clock is None else self.clock.copy()
        table = Table(self.opened, self.seats[:], self.cancelled, clock, None if moves else self.hint)
        kinds = {*map(type, moves)}
        table.shown = () if GameStarted in kinds else self.shown
        table.earlier_shown = len(table.shown) if kinds & ENDS_BATTLE else self.earlier_shown
        table.end_asked = () if kinds & CHANGES_LEADERS else self.end_asked
        table.acted_at = at if moves or not STARTS_NO_TURN.issuperset(map(type, events)) else self.acted_at
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
