"""What an edition is: a frozen value that answers every question the rulebooks answer differently.

No field has a default: a new question is a new field, and the type checker asks every edition for its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .board import Board, Regions
    from .cards import Hand
    from .chance import Chance
    from .commands import PlayCard
    from .events import BattleEnded, Event
    from .state import State

Step = Callable[["State", "Chance"], "Iterator[Event]"]
"""One step of what follows a battle: it yields what happens and sees each event applied before it goes on."""

Contestable = Callable[["State"], "Regions"]
"""The regions that the marker's holder may choose."""

Finality = Callable[["State", int], bool]
"""Whether a pass of this seat is final in this battle."""

Tally = Callable[[Sequence[int], list[int], int, int], int]
"""One step of a row's strength: (row, value by mercenary kind, season, highest kind laid) to what the step adds.

A step that changes what mercenaries are worth changes the list of values for the steps after it.
"""


class StrengthStep(NamedTuple):
    """One step of a row's strength and the name under which it is explained."""

    name: str
    tally: Tally


class Claim(NamedTuple):
    """One claim to the battle marker, heard when a battle ends and before the region changes hands.

    `seats` lists the seats it names: none lets the next claim speak, several draw a lot. `reason` stands in the event.
    """

    reason: str
    seats: Callable[[State, BattleEnded], Sequence[int]]


class Special(NamedTuple):
    """What a special card does in one edition.

    `offers` lists the plays of this card that a seat may ask; `refusal` says (code, message, field) of a play that is
    not among them; `effect` yields what follows from the card; `ends` is the cause under which the battle ends at
    once, or None.
    """

    place: str
    offers: Callable[[State, int], Sequence[PlayCard]]
    refusal: Callable[[State, PlayCard], tuple[str, str, str]]
    effect: Callable[[State, PlayCard], Iterator[Event]]
    ends: str | None


class Goal(NamedTuple):
    """What wins: so many regions that hang together, or so many in all (None: that way does not win)."""

    adjacent: int
    total: int | None


class Option(NamedTuple):
    """A choice the players make before the game.

    `values` lists what it takes, or is a range of whole numbers. A `house` option is ours and in no rulebook.
    """

    key: str
    summary: str
    values: tuple[str, ...] | range
    default: str | int
    house: bool
    apply: Callable[[Edition, Any], Edition]


@dataclass(frozen=True, kw_only=True)
class Edition:
    """One printed edition with its options in force, in the order of a rulebook's contents page."""

    key: str
    revision: int
    title: str
    year: int
    publisher: str
    sources: tuple[str, ...]
    options: tuple[Option, ...]
    chosen: Mapping[str, str | int]
    """Value of every option in force."""

    # What is in the box
    fewest_seats: int
    most_seats: int
    board: Board
    deck: Hand
    labels: Mapping[str, str]
    """Printed name of each kind of card in the deck."""
    effects: Mapping[str, str]
    """What each kind of card does, in our words."""

    # Dealing
    hand_size: int
    cards_a_region: int
    """Cards dealt for each region held, beyond the hand size."""

    # The battle
    contestable: Contestable
    pass_is_final: Finality
    specials: Mapping[int, Special]
    """The cards that do more than lie in a row, by kind."""
    strength: tuple[StrengthStep, ...]

    # After the battle
    marker: tuple[Claim, ...]
    aftermath: tuple[Step, ...]
    goals: Mapping[int, Goal]
    """What wins, by number of seats."""
    battle_limit: int
    """Battles after which the game ends on regions."""

    clauses: Mapping[str, str]
    """Number of the clause, in the edition's rules document, that each refusal cites."""
