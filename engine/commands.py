"""Commands: the moves that a seat can make, as immutable named tuples.

Seats are numbered from 0, clockwise. Cards are kinds (`engine.cards`); regions are indices on the edition's board.
"""

from typing import NamedTuple

from .cards import Hand
from .values import distinct


@distinct
class ChooseRegion(NamedTuple):
    """Choose the region of the next battle."""

    seat: int
    region: int


@distinct
class DeclineRegion(NamedTuple):
    """Choose no region. The battle marker passes to the seat on the left, and that seat then chooses."""

    seat: int


@distinct
class PlayCard(NamedTuple):
    """Lay one card.

    `take` and `take_from` are for a scarecrow: the kind of mercenary to take, and the seat whose row to take it from.
    `favor` is for a bishop: the region to move the favor marker to. `turn_up` is for a card laid face down by a seat
    that already has a face-down card of another kind. `turn_up` says which of the two kinds to turn up. Fields that a
    play does not need are None.
    """

    seat: int
    card: int
    take: int | None = None
    take_from: int | None = None
    favor: int | None = None
    turn_up: int | None = None


@distinct
class Pass(NamedTuple):
    """Lay no card this turn.

    If the edition allows it, a seat that passes may turn up its face-down card by naming the card's kind in `turn_up`.
    If `turn_up` is None, the card stays face down.
    """

    seat: int
    turn_up: int | None = None


@distinct
class KeepHand(NamedTuple):
    """Keep the hand after a battle."""

    seat: int


@distinct
class DiscardHand(NamedTuple):
    """Discard the whole hand after a battle. A hand with a mercenary cannot be discarded."""

    seat: int


@distinct
class KeepCards(NamedTuple):
    """As the only seat with cards at the end of a round, keep the cards in `keep`, and discard the rest of the hand."""

    seat: int
    keep: Hand


@distinct
class DrawCards(NamedTuple):
    """Draw `number` cards after a battle. The number may be 0."""

    seat: int
    number: int


Command = ChooseRegion | DeclineRegion | PlayCard | Pass | KeepHand | DiscardHand | KeepCards | DrawCards
