"""What happened: frozen values, named in the past, each carrying its own outcome.

An event states facts that a state takes at their word. That an event exists is public; a field may be secret, and then
`seen_by` says what a seat sees in its place. Every chain of events ends with `TurnStarted` or `GameEnded`.
"""

from typing import NamedTuple

from .cards import Hand

Cards = Hand | int
"""Cards as counts by kind, or only their number for who may not see them."""


class GameStarted(NamedTuple):
    """A game began: the edition with its revision, the options in force, and the number of seats."""

    edition: str
    revision: int
    options: tuple[tuple[str, object], ...]
    seats: int


class MarkerTaken(NamedTuple):
    """A seat took, or kept, the battle marker.

    `reason`: lot, victory, courtesans, owner (defended the region) or holder (kept it). `draw` numbers the lot.
    """

    seat: int
    reason: str
    draw: int | None


class HandsDealt(NamedTuple):
    """Cards were dealt from the deck to every seat, in seat order. Each seat sees its own."""

    hands: tuple[Cards, ...]
    draw: int


class RegionChosen(NamedTuple):
    """The holder of the battle marker chose the region to be contested."""

    seat: int
    region: int


class CardPlayed(NamedTuple):
    """A seat laid a card; `take`, `take_from` and `favor` repeat what was asked with it.

    `place`: row (it stays before the seat), discard (it leaves at once) or season (it replaces the season in force).
    """

    seat: int
    card: int
    place: str
    take: int | None
    take_from: int | None
    favor: int | None


class CardTakenBack(NamedTuple):
    """A scarecrow brought a mercenary from the row of `taken_from` into the hand of `seat`."""

    seat: int
    card: int
    taken_from: int


class MercenariesRemoved(NamedTuple):
    """A bishop discarded every copy of one mercenary; `counts` says how many from each seat's row."""

    card: int
    counts: tuple[int, ...]


class FavorMoved(NamedTuple):
    """The favor marker went to a region, or off the board (None)."""

    region: int | None


class SeatPassed(NamedTuple):
    """A seat passed.

    A pass that is not `final` leaves the right to play later in this battle; a `forced` one was made by the engine
    because the seat's hand is empty.
    """

    seat: int
    final: bool
    forced: bool


class BattleEnded(NamedTuple):
    """A battle ended; with a winner, the region is now the winner's.

    `cause`: passes, surrender or bishop. `strengths` in seat order, None where the forces were not counted. `leaders`
    are the seats that share the highest strength (all seats where nothing was counted).
    """

    region: int | None
    cause: str
    strengths: tuple[int, ...] | None
    leaders: tuple[int, ...]
    winner: int | None


class RowsDiscarded(NamedTuple):
    """All rows and the season in force went to the discard."""


class HandKept(NamedTuple):
    """A seat kept its hand after a battle."""

    seat: int


class HandDiscarded(NamedTuple):
    """A seat discarded its whole hand, which only it sees; `forced` where it had no choice."""

    seat: int
    cards: Cards
    forced: bool


class RoundStalled(NamedTuple):
    """So many battles in a row passed without a card that the house rule ends the round."""

    battles: int


class RoundEnded(NamedTuple):
    """The discard went back into the deck."""


class TurnStarted(NamedTuple):
    """The game waits for this seat to answer what the phase asks."""

    seat: int
    phase: str


class GameEnded(NamedTuple):
    """The game is over; several winners share the victory.

    `reasons`: adjacent-regions, total-regions, no-region-left, stall or battle-limit.
    """

    winners: tuple[int, ...]
    reasons: tuple[str, ...]


Event = (
    GameStarted
    | MarkerTaken
    | HandsDealt
    | RegionChosen
    | CardPlayed
    | CardTakenBack
    | MercenariesRemoved
    | FavorMoved
    | SeatPassed
    | BattleEnded
    | RowsDiscarded
    | HandKept
    | HandDiscarded
    | RoundStalled
    | RoundEnded
    | TurnStarted
    | GameEnded
)


def seen_by(event: Event, seat: int | None) -> Event:
    """Return the event as a seat sees it: cards that are not its own become their number. None is a spectator.

    >>> from engine.cards import hand_of
    >>> seen_by(HandDiscarded(seat=1, cards=hand_of(["winter", "heroine"]), forced=False), seat=0).cards
    2
    """
    if isinstance(event, HandsDealt):
        return event._replace(hands=tuple(_known(cards, owner == seat) for owner, cards in enumerate(event.hands)))
    if isinstance(event, HandDiscarded):
        return event._replace(cards=_known(event.cards, event.seat == seat))
    return event


def _known(cards: Cards, known: bool) -> Cards:
    return cards if known or isinstance(cards, int) else sum(cards)
