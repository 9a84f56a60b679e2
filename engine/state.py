"""The position: everything that the log so far says, small enough to copy thousands of times a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import KINDS, Pile
from .phase_names import SETUP

if TYPE_CHECKING:
    from .board import Regions
    from .edition import Edition
    from .events import GameEnded, MatchEnded

NOBODY = -1
NOWHERE = -1
NO_CARD = -1


class State:
    """One position of a game, or of a match of games. Mutable, therefore never held by anything outside the engine.

    Seats are 0-based, sets of seats and of regions are ints with one bit a member, piles are counts by kind, and -1
    stands for no seat, no region or no card. `apply` is the only thing that changes it.
    """

    __slots__ = (
        "answered",
        "battles",
        "contested",
        "decks",
        "declines",
        "discard",
        "draws",
        "edition",
        "favor",
        "fighters",
        "games",
        "gone",
        "hands",
        "held",
        "hidden",
        "idle",
        "laid",
        "marker",
        "passed",
        "phase",
        "points",
        "result",
        "rounds",
        "rows",
        "season",
        "seats",
        "stalls",
        "turn",
        "won",
    )

    edition: Edition
    seats: int
    hands: list[Pile]
    rows: list[Pile]
    """Cards laid in this battle, face up."""
    hidden: list[tuple[int, ...]]
    """For each seat the kinds that lie face down in its row, the one laid first before the others."""
    decks: list[Pile]
    """The one deck that all draw from, or one a seat."""
    discard: Pile
    season: int
    """Kind of the season card in force."""
    held: list[Regions]
    """For each seat the regions with its control markers."""
    won: list[int]
    """For each seat the battles it has won."""
    favor: int
    """Region of the favor marker."""
    marker: int
    """Seat that holds the battle marker."""
    contested: int
    """Region fought over."""
    fighters: int
    """Seats in the final battle; none before it."""
    passed: int
    """Seats whose pass is final in this battle, and all that are gone."""
    laid: int
    """Seats that laid a card in this battle."""
    answered: int
    """Seats that answered what follows this battle."""
    phase: str
    turn: int
    """Seat that the game waits for."""
    rounds: int
    """Rounds ended."""
    battles: int
    """Battles ended."""
    declines: int
    """Seats in a row that declined to choose a region."""
    idle: int
    """Battles in a row in which nobody laid a card."""
    stalls: int
    """Rounds in a row that the stall rule ended, without a card laid since."""
    result: GameEnded | MatchEnded | None
    draws: int
    """Draws made, over all games of a match: the number of the next one."""
    gone: int
    """Seats that have resigned, from this game and the rest of the match."""
    games: int
    """Games of the match that are over and scored."""
    points: tuple[int, ...]
    """For each seat its points in the match."""

    def __init__(self, edition: Edition, seats: int) -> None:
        """Set the table: full decks, empty hands, nobody to act, no game of a match played."""
        self.edition = edition
        self.seats = seats
        self.draws = self.games = self.gone = 0
        self.points = (0,) * seats
        self.set_up()

    def set_up(self) -> None:
        """Set the table for a new game of the match: only what the games before it brought stays."""
        edition, seats = self.edition, self.seats
        self.hands = [[0] * KINDS for _ in range(seats)]
        self.rows = [[0] * KINDS for _ in range(seats)]
        self.hidden = [()] * seats
        self.decks = [list(edition.deck) for _ in range(seats if edition.deck_each else 1)]
        self.discard = [0] * KINDS
        self.held = [0] * seats
        self.won = [0] * seats
        self.season = NO_CARD
        self.favor = self.contested = NOWHERE
        self.marker = self.turn = NOBODY
        self.fighters = self.laid = self.answered = 0
        self.passed = self.gone
        self.rounds = self.battles = self.declines = self.idle = self.stalls = 0
        self.phase = SETUP
        self.result = None

    def copy(self) -> State:
        """Return an independent copy."""
        twin = State.__new__(State)
        twin.edition = self.edition
        twin.seats = self.seats
        twin.hands = [hand[:] for hand in self.hands]
        twin.rows = [row[:] for row in self.rows]
        twin.hidden = self.hidden[:]
        twin.decks = [deck[:] for deck in self.decks]
        twin.discard = self.discard[:]
        twin.season = self.season
        twin.held = self.held[:]
        twin.won = self.won[:]
        twin.favor = self.favor
        twin.marker = self.marker
        twin.contested = self.contested
        twin.fighters = self.fighters
        twin.passed = self.passed
        twin.laid = self.laid
        twin.answered = self.answered
        twin.phase = self.phase
        twin.turn = self.turn
        twin.rounds = self.rounds
        twin.battles = self.battles
        twin.declines = self.declines
        twin.idle = self.idle
        twin.stalls = self.stalls
        twin.result = self.result
        twin.draws = self.draws
        twin.gone = self.gone
        twin.games = self.games
        twin.points = self.points
        return twin

    def __eq__(self, other: object) -> bool:
        """Two states are equal when they hold the same position."""
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in State.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def bystanders(self) -> int:
        """Return the set of seats that take no part in a battle: those gone, or all that do not fight the final one."""
        return (1 << self.seats) - 1 ^ self.fighters if self.fighters else self.gone

    def still_there(self) -> list[int]:
        """Return the seats that have not resigned."""
        return [seat for seat in range(self.seats) if not self.gone >> seat & 1]

    def deck_of(self, seat: int) -> Pile:
        """Return the deck that a seat draws from."""
        return self.decks[seat % len(self.decks)]

    def taken(self) -> Regions:
        """Return the set of regions with a control marker."""
        regions = 0
        for held in self.held:
            regions |= held
        return regions
