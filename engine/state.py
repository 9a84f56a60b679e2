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
"""No seat: nobody holds the battle marker before the first lot, and nobody is to act before the deal and at the end."""

NOWHERE = -1
"""No region: none is contested, or the favor marker is off the board."""

NO_CARD = -1
"""No kind of card: no season is in force, or no mercenary is in any row."""


class State:
    """One position of a game, or of a match of games. Mutable, therefore never held by anything outside the engine.

    Seats are 0-based; a set of seats or of regions is an int with one bit a member (`engine.board.members` lists them);
    a pile is fifteen counts, one a kind of card (`engine.cards.NAMES`). `NOBODY`, `NOWHERE` and `NO_CARD` stand for no
    seat, no region and no kind of card. Only events change a state: `advance` and `resign` the one that they are given,
    `evolve` returns another.

        edition    Edition           the rules, with the options in force
        seats      number
        phase      name              what the game waits for; `setup` before the first deal, `over` at the end
        step       number or None    place of the step that asks, where the edition's sequence has that step twice
        turn       seat              that the game waits for
        marker     seat              that holds the battle marker
        contested  region            fought over
        favor      region            of the favor marker
        season     kind              of the season card in force
        passed     set of seats      whose pass is final in this battle, and all that are gone
        laid       set of seats      that laid a card in this battle
        answered   set of seats      that answered what follows this battle
        fighters   set of seats      in the final battle; none before it
        gone       set of seats      that have resigned, from this game and the rest of the match
        hands      a pile a seat     in hand
        rows       a pile a seat     laid in this battle, face up
        hidden     kinds a seat      face down in the row, the one laid first before the others
        decks      piles             the one deck that all draw from, or one a seat
        discard    pile
        held       regions a seat    with the seat's control markers, a set
        won        number a seat     battles won
        points     number a seat     points in the match
        rounds     number            rounds ended
        battles    number            battles ended
        declines   number            seats in a row that declined to choose a region
        idle       number            battles in a row in which nobody laid a card
        stalls     number            rounds in a row that the stall rule ended, without a card laid since
        games      number            games of the match that are over and scored
        draws      number            draws made, over all games of a match: the number of the next one
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
        """Two states are equal when they hold the same position."""
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in State.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Return what lies open only, fit for a log; `engine.to_notation` has everything.

        >>> from engine import DEFAULT, from_notation
        >>> from_notation(f"{DEFAULT}@1 seats=3 phase=battle turn=1 hands=10/3/- battles=4")  # doctest: +ELLIPSIS
        <State of ...: seats=3 phase=battle turn=1 rounds=0 battles=4>
        """
        shown = " ".join(f"{name}={getattr(self, name)}" for name in ("seats", "phase", "turn", "rounds", "battles"))
        return f"<State of {self.edition.key}: {shown}>"

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
