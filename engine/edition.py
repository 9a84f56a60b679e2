"""The type `Edition`: an immutable value with one field for everything that differs between rulebooks.

No field has a default, so when a field is added, the type checker reports every edition that does not set it.
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
"""One step of an opening, an aftermath or a final battle.

A step yields events. Each event is applied to the state before the step continues.

If the events of a step do not depend on each other, the step may return all of them together instead of yielding them.
"""

Standing = Callable[["State"], "Sequence[int]"]
"""Returns each seat's score. The scores decide a game that ends before any seat has reached a goal."""

Contestable = Callable[["State"], "Regions"]
"""Returns the set of regions that the holder of the battle marker may choose."""

Finality = Callable[["State", int], bool]
"""Returns whether a pass of this seat is final in this battle."""

Tally = Callable[[Sequence[int], list[int], int, int], int]
"""One step in counting the strength of a row: returns what the step adds to the total.

The arguments are the row, the current value of each mercenary kind, the season, and the highest mercenary kind in any
row. A step that changes the value of mercenaries updates the list of values in place, so later steps use the new
values.
"""


class StrengthStep(NamedTuple):
    """One step in calculating a row's strength, and the step's name in explanations."""

    name: str
    tally: Tally


class Claim(NamedTuple):
    """A claim to the battle marker: a rule evaluated at the end of a battle, before the region changes owner.

    `seats` returns the seats that the claim selects. If the claim selects no seat, the engine tries the edition's next
    claim. If the claim selects several seats, one of them is chosen by lot. `MarkerTaken` records `reason`.
    """

    reason: str
    seats: Callable[[State, BattleEnded], Sequence[int]]


class Special(NamedTuple):
    """What a special card does in one edition.

    `place` is where the card goes: row, discard or season (see `CardPlayed`). `offers` returns the legal plays of the
    card. If `offers` returns no plays, the card can be played only without a target. `refusal` returns (code, message,
    field) for any other play of the card. `effect` yields the events that the card causes. If the card ends the battle
    immediately, `ends` is the cause that `BattleEnded` records. Otherwise, `ends` is None.
    """

    place: str
    offers: Callable[[State, int], Sequence[PlayCard]]
    refusal: Callable[[State, PlayCard], tuple[str, str, str]]
    effect: Callable[[State, PlayCard], Iterable[Event]]
    ends: str | None


class Goal(NamedTuple):
    """The goals of a game: how many adjacent regions, how many regions in total, or how many won battles a seat needs.

    A number is None if the edition does not have that goal.
    """

    adjacent: int | None
    total: int | None
    battles: int | None


class FinalBattle(NamedTuple):
    """The final battle between tied seats.

    `steps` start the final battle. `barred` contains the kinds of card that may not be laid in the final battle.
    `winners` returns the seats that win; if no seat wins, the result is empty.
    """

    steps: tuple[Step, ...]
    barred: frozenset[int]
    winners: Callable[[BattleEnded], tuple[int, ...]]


class Drawing(NamedTuple):
    """How many cards a seat may draw after a battle.

    A seat draws no more than `most` cards, and only until its hand has `limit` cards plus one for each region that it
    owns.
    """

    most: int
    limit: int


class Option(NamedTuple):
    """An option: a choice made when a game is opened.

    `label` is the option's printed name, and `values` are the allowed values. `house` is True for an option that is not
    in any rulebook. `apply` returns the edition with this option set to a value other than the default.
    """

    key: str
    label: str
    summary: str
    values: tuple[str, ...] | tuple[bool, ...] | range
    default: str | int
    house: bool
    apply: Callable[[Edition, Any], Edition]


def exchange_step(steps: tuple[Step, ...], old: Step, new: Step) -> tuple[Step, ...]:
    """Return a copy of `steps` in which the step `new` replaces the step `old`."""
    assert old in steps, "the steps contain the old step"
    return tuple(new if step is old else step for step in steps)


def defaults(options: Iterable[Option]) -> Mapping[str, str | int]:
    """Return the default of each option, keyed by the option's key."""
    return {option.key: option.default for option in options}


class Conflict(NamedTuple):
    """Two options that cannot be combined, and the reason."""

    options: tuple[str, str]
    reason: str


class Advice(NamedTuple):
    """Two options that the rulebook advises against combining, with a note. Players may still combine the options."""

    options: tuple[str, str]
    note: str


@dataclass(frozen=True, kw_only=True)
class Edition:
    """A printed edition with the options in force. The fields are in the order of a rulebook's table of contents."""

    key: str
    revision: int
    title: str
    year: int | None
    """The year of publication, or None if the rulebooks do not state a year."""
    listed_year: int
    """The year by which editions are sorted: `year`, or an estimate if `year` is None."""
    publisher: str
    sources: tuple[str, ...]
    options: tuple[Option, ...]
    chosen: Mapping[str, str | int]
    """The value in force for each option, by the option's key."""
    conflicts: tuple[Conflict, ...]
    advice: tuple[Advice, ...]

    # Contents of the box
    fewest_seats: int
    most_seats: int
    board: Board | None
    deck: Hand
    deck_each: bool
    """Whether each seat has a separate deck."""
    open_discard: bool
    """Whether cards from rows stay face up in the discard, so that everybody may see which cards are in it."""
    labels: Mapping[str, str]
    """The printed name of each kind of card in the deck."""
    effects: Mapping[str, str]
    """What each kind of card does, in this project's own words."""

    # Showing cards
    shows_cards: bool
    """Whether the rulebook lets players show each other cards. The engine has no command for showing cards."""

    # Dealing
    hand_size: int
    cards_a_region: int
    """The number of additional cards that a seat is dealt for each region that it holds."""
    drawing: Drawing | None
    """How seats draw cards after each battle, or None if they do not draw."""
    cards_kept: int
    """The number of cards that the last seat with cards may keep at the end of a round."""
    opening: tuple[Step, ...]

    # The battle
    contestable: Contestable
    may_decline: bool
    """Whether the holder of the battle marker may decline to choose a region."""
    pass_is_final: Finality
    face_down: frozenset[int]
    """The kinds of card that are laid face down."""
    pass_may_turn_up: bool
    """Whether a seat that passes may turn up its face-down card."""
    specials: Mapping[int, Special]
    """The special cards of this edition, by kind."""
    strength: tuple[StrengthStep, ...]

    # After the battle
    marker: tuple[Claim, ...]
    aftermath: tuple[Step, ...]
    goals: Mapping[int, Goal]
    """The goals that win a game, by number of seats."""
    standing: Standing
    final_battle: FinalBattle | None
    """The final battle between tied seats, or None if the edition has no final battle.

    Seats can be tied in regions when no region is left or all seats have declined. At the end of a match, seats can be
    tied in points.
    """
    battle_limit: int
    """The number of battles after which `standing` decides the game."""
    match_target: int
    """The number of points that ends a match, or 0 for a single game."""

    clauses: Mapping[str, str]
    """The clause of the edition's rules document that a refusal cites, by the refusal's code."""

    @cached_property
    def not_plain(self) -> frozenset[int]:
        """The kinds of card whose plays may need a choice: special cards, and cards that are laid face down."""
        return self.face_down.union(self.specials)

    @cached_property
    def repeats_a_step(self) -> bool:
        """Whether the opening, the aftermath or the final battle contains the same step more than once."""
        final = self.final_battle.steps if self.final_battle else ()
        return any(len(set(steps)) < len(steps) for steps in (self.opening, self.aftermath, final))
