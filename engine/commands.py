"""What a seat may ask of the game: frozen values, named in the imperative.

`seat` is 0-based and counts clockwise. Cards are kinds (`engine.cards`), regions are indices of the edition's board.
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
    """Choose no region: the battle marker, and with it the choice, goes to the left."""

    seat: int


@distinct
class PlayCard(NamedTuple):
    """Lay one card in the own row.

    A scarecrow names the mercenary kind that it takes back (`take`) and the seat from whose row (`take_from`); a bishop
    names the region that the favor marker goes to (`favor`); a card laid face down while another kind lies so names
    which of the two is turned up (`turn_up`). Everything else is None.
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

    Where the edition lets it, a seat with a card face down may turn that card up as it passes, and names its kind
    (`turn_up`). None leaves it face down.
    """

    seat: int
    turn_up: int | None = None


@distinct
class KeepHand(NamedTuple):
    """After a battle: keep the hand."""

    seat: int


@distinct
class DiscardHand(NamedTuple):
    """After a battle: discard the whole hand, which may hold no mercenary."""

    seat: int


@distinct
class KeepCards(NamedTuple):
    """At the end of a round, as the last seat with cards: keep these and discard the rest."""

    seat: int
    keep: Hand


@distinct
class DrawCards(NamedTuple):
    """After a battle: draw so many cards, perhaps none."""

    seat: int
    number: int


Command = ChooseRegion | DeclineRegion | PlayCard | Pass | KeepHand | DiscardHand | KeepCards | DrawCards
