"""The state of a game: everything that can be derived from its log so far."""

from __future__ import annotations

from typing import TYPE_CHECKING
from warnings import warn

from .cards import KINDS, Pile
from .phase_names import SETUP

if TYPE_CHECKING:
    from .board import Regions
    from .edition import Edition
    from .events import GameEnded, MatchEnded

NOBODY = -1
"""The value of `marker` before the first lot, and of `turn` before the first deal and when the game is over."""

NOWHERE = -1
"""The value of `contested` if no region is contested, and of `favor` if the favor marker is off the board."""

NO_CARD = -1
"""The value of `season` if no season is in force, and of the highest mercenary kind if no row has a mercenary."""


class State:
    """One position of a game or a match. A state is mutable; call `copy` to keep a position.

    Seats are numbered from 0. A set of seats or of regions is an int with one bit per member (`engine.board.members`
    lists them). A pile is a list of fifteen counts, one per kind of card (`engine.cards.NAMES`). `NOBODY`, `NOWHERE`
    and `NO_CARD` stand for no seat, no region and no kind of card. Only events change a state. `advance` and `resign`
    apply events to the given state in place, and `evolve` returns a new state.

        edition    Edition           the rules, with the options in force
        seats      number            seats at the table
        phase      name              what the game is waiting for; `setup` before the first deal, `over` at the end
        step       number or None    index of the current step, if the edition's sequence has that step more than once
        turn       seat              the seat to act
        marker     seat              holder of the battle marker
        contested  region            region of the current battle
        favor      region            region of the favor marker
        season     kind              season card in force
        passed     set of seats      seats whose pass is final in this battle, and seats that take no part in it
        laid       set of seats      seats that laid a card in this battle
        answered   set of seats      seats that have answered the question asked after this battle
        fighters   set of seats      seats in the final battle; empty before it
        gone       set of seats      seats that have resigned from this game and the rest of the match
        hands      pile per seat     cards in hand
        rows       pile per seat     cards laid face up in this battle
        hidden     kinds per seat    cards face down in the row, in the order in which they were laid
        decks      piles             the one deck that all seats draw from, or one deck per seat
        discard    pile              discarded cards
        held       set per seat      regions with the seat's control markers
        won        number per seat   battles won
        points     number per seat   points in the match
        rounds     number            rounds completed
        battles    number            battles completed
        declines   number            consecutive seats that declined to choose a region
        idle       number            consecutive battles in which no card was laid
        stalls     number            consecutive rounds that the stall rule ended, with no card laid since
        games      number            games of the match that are over and scored
        draws      number            draws so far, over all games of a match; also the number of the next draw
        result     GameEnded, MatchEnded or None
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
        "step",
        "turn",
        "won",
    )

    edition: Edition
    seats: int
    hands: list[Pile]
    rows: list[Pile]
    hidden: list[tuple[int, ...]]
    decks: list[Pile]
    discard: Pile
    season: int
    held: list[Regions]
    won: list[int]
    favor: int
    marker: int
    contested: int
    fighters: int
    passed: int
    laid: int
    answered: int
    phase: str
    step: int | None
    turn: int
    rounds: int
    battles: int
    declines: int
    idle: int
    stalls: int
    result: GameEnded | MatchEnded | None
    draws: int
    gone: int
    games: int
    points: tuple[int, ...]

    def __init__(self, edition: Edition, seats: int) -> None:
        """Create the state before the first event, with full decks and empty hands."""
        self.edition = edition
        self.seats = seats
        self.draws = self.games = self.gone = 0
        self.points = (0,) * seats
        self.set_up()

    def set_up(self) -> None:
        """Reset the table for a new game. The points, the resignations and the match's counters are kept."""
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
        self.step = None
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
        twin.step = self.step
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
        """Return whether both states have equal values in every field."""
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in State.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Return a summary without hidden cards, which is safe to log. `engine.to_notation` shows everything.

        >>> from engine import DEFAULT, from_notation
        >>> from_notation(f"{DEFAULT}@1 seats=3 phase=battle turn=1 hands=10/3/- battles=4")  # doctest: +ELLIPSIS
        <State of ...: seats=3 phase=battle turn=1 rounds=0 battles=4>
        """
        fields = " ".join(f"{name}={getattr(self, name)}" for name in ("seats", "phase", "turn", "rounds", "battles"))
        return f"<State of {self.edition.key}: {fields}>"

    def bystanders(self) -> int:
        """Return the set of seats that take no part in the battle.

        Bystanders are the seats that have resigned and, in a final battle, all seats that are not fighters.
        """
        return (1 << self.seats) - 1 ^ self.fighters if self.fighters else self.gone

    def remaining_seats(self) -> list[int]:
        """Return the seats that have not resigned."""
        return [seat for seat in range(self.seats) if not self.gone >> seat & 1]

    def still_there(self) -> list[int]:
        """Return the seats that have not resigned. Deprecated: use `remaining_seats`."""
        warn("State.still_there is deprecated; use State.remaining_seats", DeprecationWarning, stacklevel=2)
        return self.remaining_seats()

    def deck_of(self, seat: int) -> Pile:
        """Return the deck that a seat draws from."""
        return self.decks[seat % len(self.decks)]

    def owned_regions(self) -> Regions:
        """Return the set of regions with a control marker."""
        regions = 0
        for held in self.held:
            regions |= held
        return regions

    def taken(self) -> Regions:
        """Return the set of regions with a control marker. Deprecated: use `owned_regions`."""
        warn("State.taken is deprecated; use State.owned_regions", DeprecationWarning, stacklevel=2)
        return self.owned_regions()
