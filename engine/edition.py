"""What an edition is: a frozen value that answers every question the rulebooks answer differently.

No field has a default: a new question is a new field, and the type checker asks every edition for its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .board import Board, Regions
    from .cards import Hand
    from .chance import Chance
    from .commands import PlayCard
    from .events import BattleEnded, Event
    from .state import State

Step = Callable[["State", "Chance"], "Iterable[Event]"]
"""One step of what opens a game or follows a battle: it yields what happens, and sees each event applied before it
goes on. It may also return them at once, where none depends on what the ones before it change.
"""

Standing = Callable[["State"], "Sequence[int]"]
"""What each seat has to show for itself when a game ends before anybody has won."""

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
    effect: Callable[[State, PlayCard], Iterable[Event]]
    ends: str | None


class Goal(NamedTuple):
    """What wins: so many regions that hang together, so many in all, so many battles (None: that way does not win)."""

    adjacent: int | None
    total: int | None
    battles: int | None


class FinalBattle(NamedTuple):
    """How seats that are level fight it out.

    `steps` lead to it; `barred` are the kinds of card that may not be laid in it; `winners` says who wins by it, which
    may be nobody.
    """

    steps: tuple[Step, ...]
    barred: frozenset[int]
    winners: Callable[[BattleEnded], tuple[int, ...]]


class Drawing(NamedTuple):
    """Drawing after each battle: so many cards at most, up to a hand of `limit` and one more for each region."""

    most: int
    limit: int


class Option(NamedTuple):
    """A choice the players make before the game.

    `label` is its printed name; `values` lists what it takes, or is a range of whole numbers. A `house` option is ours
    and in no rulebook.
    """

    key: str
    label: str
    summary: str
    values: tuple[str, ...] | tuple[bool, ...] | range
    default: str | int
    house: bool
    apply: Callable[[Edition, Any], Edition]


def exchange_step(steps: tuple[Step, ...], old: Step, new: Step) -> tuple[Step, ...]:
    """Return these steps with another in the place of one of them."""
    assert old in steps, "the step to be exchanged is one of these"
    return tuple(new if step is old else step for step in steps)


def defaults(options: Iterable[Option]) -> Mapping[str, str | int]:
    """Return the default of each of these options, by its key."""
    return {option.key: option.default for option in options}


class Conflict(NamedTuple):
    """Two options that the rulebook does not allow together, and why."""

    options: tuple[str, str]
    reason: str


class Advice(NamedTuple):
    """Two options that the rulebook advises against together, and what it says; they may still be chosen together."""

    options: tuple[str, str]
    note: str


@dataclass(frozen=True, kw_only=True)
class Edition:
    """One printed edition with its options in force, in the order of a rulebook's contents page."""

    key: str
    revision: int
    title: str
    year: int | None
    """When it came out; None where no text of it says so."""
    listed_year: int
    """Where lists of editions, newest first, have it: the year, or an estimate where that is None."""
    publisher: str
    sources: tuple[str, ...]
    options: tuple[Option, ...]
    chosen: Mapping[str, str | int]
    """Value of every option in force."""
    conflicts: tuple[Conflict, ...]
    advice: tuple[Advice, ...]

    # What is in the box
    fewest_seats: int
    most_seats: int
    board: Board | None
    deck: Hand
    deck_each: bool
    """Whether every seat draws from a deck of its own."""
    labels: Mapping[str, str]
    """Printed name of each kind of card in the deck."""
    effects: Mapping[str, str]
    """What each kind of card does, in our words."""

    # Dealing
    hand_size: int
    cards_a_region: int
    """Cards dealt for each region held, beyond the hand size."""
    drawing: Drawing | None
    """How seats draw after each battle, where they do."""
    cards_kept: int
    """Cards that the last seat with any may keep at the end of a round."""
    opening: tuple[Step, ...]

    # The battle
    contestable: Contestable
    may_decline: bool
    """Whether the marker's holder may choose no region."""
    pass_is_final: Finality
    face_down: frozenset[int]
    """The kinds that are laid face down."""
    pass_may_turn_up: bool
    """Whether a seat that passes may turn up the card that it has face down."""
    specials: Mapping[int, Special]
    """The cards that do more than lie in a row, by kind."""
    strength: tuple[StrengthStep, ...]

    # After the battle
    marker: tuple[Claim, ...]
    aftermath: tuple[Step, ...]
    goals: Mapping[int, Goal]
    """What wins, by number of seats."""
    standing: Standing
    final_battle: FinalBattle | None
    """What decides between seats that are level in regions when none is left or all have declined, or in points at the
    end of a match; None where no such battle is fought.
    """
    battle_limit: int
    """Battles after which the game ends on its standing."""
    match_target: int
    """Points that end a match; 0 for a single game."""

    clauses: Mapping[str, str]
    """Number of the clause, in the edition's rules document, that each refusal cites."""

    @cached_property
    def not_plain(self) -> frozenset[int]:
        """The kinds that may have other plays than the plain one: special cards, and what is laid face down."""
        return self.face_down.union(self.specials)

    @cached_property
    def repeats_a_step(self) -> bool:
        """Whether its opening, its aftermath or the steps to its final battle have a step more than once."""
        final = self.final_battle.steps if self.final_battle else ()
        return any(len(set(steps)) < len(steps) for steps in (self.opening, self.aftermath, final))
