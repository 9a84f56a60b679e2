"""The position: everything that the log so far says, small enough to copy thousands of times a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import KINDS, Pile
from .moments import SETUP

if TYPE_CHECKING:
    from .board import Regions
    from .edition import Edition
    from .events import GameEnded

NOBODY = -1
NOWHERE = -1
NO_CARD = -1


class State:
    """One position of one game. Mutable, and therefore never held by anything outside the engine.

    Seats are 0-based, sets of seats and of regions are ints with one bit a member, piles are counts by kind, and -1
    stands for no seat, no region or no card. `apply` is the only thing that changes it.
    """

    __slots__ = (
        "answered",
        "battles",
        "contested",
        "deck",
        "discard",
        "draws",
        "edition",
        "favor",
        "hands",
        "held",
        "idle",
        "laid",
        "marker",
        "passed",
        "phase",
        "result",
        "rounds",
        "rows",
        "season",
        "seats",
        "stalls",
        "turn",
    )

    edition: Edition
    seats: int
    hands: list[Pile]
    rows: list[Pile]
    deck: Pile
    discard: Pile
    season: int
    """Kind of the season card in force."""
    held: list[Regions]
    """For each seat the regions with its control markers."""
    favor: int
    """Region of the favor marker."""
    marker: int
    """Seat that holds the battle marker."""
    contested: int
    """Region fought over."""
    passed: int
    """Seats whose pass is final in this battle."""
    laid: int
    """Seats that laid a card in this battle."""
    answered: int
    """Seats that answered keep or discard after this battle."""
    phase: str
    turn: int
    """Seat that the game waits for."""
    rounds: int
    """Rounds ended."""
    battles: int
    """Battles ended."""
    idle: int
    """Battles in a row in which nobody laid a card."""
    stalls: int
    """Rounds in a row that the stall rule ended, without a card laid since."""
    draws: int
    """Draws made: the number of the next one."""
    result: GameEnded | None

    def __init__(self, edition: Edition, seats: int) -> None:
        """Set the table: full deck, empty hands, nobody to act."""
        self.edition = edition
        self.seats = seats
        self.hands = [[0] * KINDS for _ in range(seats)]
        self.rows = [[0] * KINDS for _ in range(seats)]
        self.deck = list(edition.deck)
        self.discard = [0] * KINDS
        self.held = [0] * seats
        self.season = NO_CARD
        self.favor = self.contested = NOWHERE
        self.marker = self.turn = NOBODY
        self.passed = self.laid = self.answered = 0
        self.rounds = self.battles = self.idle = self.stalls = self.draws = 0
        self.phase = SETUP
        self.result = None

    def copy(self) -> State:
        """Return an independent copy."""
        twin = State.__new__(State)
        twin.edition = self.edition
        twin.seats = self.seats
        twin.hands = [hand[:] for hand in self.hands]
        twin.rows = [row[:] for row in self.rows]
        twin.deck = self.deck[:]
        twin.discard = self.discard[:]
        twin.held = self.held[:]
        twin.season = self.season
        twin.favor = self.favor
        twin.contested = self.contested
        twin.marker = self.marker
        twin.turn = self.turn
        twin.passed = self.passed
        twin.laid = self.laid
        twin.answered = self.answered
        twin.rounds = self.rounds
        twin.battles = self.battles
        twin.idle = self.idle
        twin.stalls = self.stalls
        twin.draws = self.draws
        twin.phase = self.phase
        twin.result = self.result
        return twin

    def __eq__(self, other: object) -> bool:
        """Two states are equal when they hold the same position."""
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in State.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def taken(self) -> Regions:
        """Return the set of regions with a control marker."""
        regions = 0
        for held in self.held:
            regions |= held
        return regions
