"""What happened: frozen values, named in the past, each carrying its own outcome.

An event states facts that a state takes at their word. That an event exists is public; a field may be secret, and then
`secrecy` says what a seat sees in its place. Every chain of events ends with `TurnStarted`, `GameEnded` or
`MatchEnded`.
"""

from typing import NamedTuple

from .cards import Hand
from .values import distinct

Cards = Hand | int
"""Cards as counts by kind, or only their number for who may not see them."""


@distinct
class GameStarted(NamedTuple):
    """A game began: the edition with its revision, the options in force, and the number of seats.

    In a match another one follows each `GameEnded` but the last, with the same edition, options and seats.
    """

    edition: str
    revision: int
    options: tuple[tuple[str, object], ...]
    seats: int


@distinct
class MarkerTaken(NamedTuple):
    """A seat took, or kept, the battle marker.

    `reason`: lot, victory, courtesans, owner (defended the region), holder (kept it), left (of the last holder, or of
    a seat that has resigned) or declined (the last holder chose no region). `draw` numbers the lot; it is None where
    none was drawn.
    """

    seat: int
    reason: str
    draw: int | None


@distinct
class HandsDealt(NamedTuple):
    """Cards were dealt from the deck to every seat, in seat order. Each seat sees its own."""

    hands: tuple[Cards, ...]
    draw: int


@distinct
class CardsDrawn(NamedTuple):
    """A seat drew cards, which only it sees, from the deck it draws from; `draw` is None where it drew nothing.

    `number` is how many it is to draw: more than `cards` where the deck had no more and the discard is reshuffled.
    """

    seat: int
    cards: Cards
    draw: int | None
    number: int


@distinct
class DiscardReshuffled(NamedTuple):
    """The discard went back into the deck."""


@distinct
class RegionChosen(NamedTuple):
    """The holder of the battle marker chose the region to be contested."""

    seat: int
    region: int


@distinct
class RegionDeclined(NamedTuple):
    """The holder of the battle marker chose no region."""

    seat: int


@distinct
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


@distinct
class CardLaidFaceDown(NamedTuple):
    """A seat laid a card face down, which only it sees (None for everybody else).

    `turn_up` repeats which of two cards it asked to be turned up.
    """

    seat: int
    card: int | None
    turn_up: int | None


@distinct
class CardTurnedUp(NamedTuple):
    """A face-down card of a seat was turned up.

    `newest` tells that seat alone whether two lay face down and this was the one laid last: it had a choice only if
    they were of different kinds.
    """

    seat: int
    card: int
    newest: bool | None


@distinct
class CardTakenBack(NamedTuple):
    """A scarecrow brought a mercenary from the row of `taken_from` into the hand of `seat`."""

    seat: int
    card: int
    taken_from: int


@distinct
class MercenariesRemoved(NamedTuple):
    """A bishop discarded every copy of one mercenary; `counts` says how many from each seat's row."""

    card: int
    counts: tuple[int, ...]


@distinct
class FavorMoved(NamedTuple):
    """The favor marker went to a region, or off the board (None)."""

    region: int | None


@distinct
class SeatPassed(NamedTuple):
    """A seat passed.

    A pass that is not `final` leaves the right to play later in this battle; a `forced` one was made by the engine
    because the seat's hand is empty.
    """

    seat: int
    final: bool
    forced: bool


@distinct
class SeatResigned(NamedTuple):
    """A seat left the game, or the match, for good.

    In a battle it has finally passed, and in a final battle it fights no more; declines are counted anew.
    """

    seat: int


@distinct
class BattleEnded(NamedTuple):
    """A battle ended; with a winner, the region is now the winner's. A battle for no region has none.

    `cause`: passes, surrender or bishop. `strengths` in seat order, None where the forces were not counted. `leaders`
    are the seats that share the highest strength (all that fought where nothing was counted).
    """

    region: int | None
    cause: str
    strengths: tuple[int, ...] | None
    leaders: tuple[int, ...]
    winner: int | None


@distinct
class RowsDiscarded(NamedTuple):
    """All rows and the season in force went to the discard."""


@distinct
class HandKept(NamedTuple):
    """A seat kept its hand after a battle."""

    seat: int


@distinct
class HandDiscarded(NamedTuple):
    """A seat discarded its whole hand, which only it sees; `forced` where it had no choice."""

    seat: int
    cards: Cards
    forced: bool


@distinct
class CardsKept(NamedTuple):
    """The last seat with cards kept some of them, which only it sees; the rest it discards."""

    seat: int
    cards: Cards


@distinct
class RoundStalled(NamedTuple):
    """So many battles in a row passed without a card that the house rule ends the round."""

    battles: int


@distinct
class RoundEnded(NamedTuple):
    """The round is over, and the discard went back into the deck."""


@distinct
class TurnStarted(NamedTuple):
    """The game waits for this seat to answer what the phase asks.

    `step` is the place, from 0, of the step that asks in the edition's opening, aftermath or final battle. It is None
    where that sequence has the step only once: the phase then says which step it is.
    """

    seat: int
    phase: str
    step: int | None = None


@distinct
class FinalBattleStarted(NamedTuple):
    """Seats that are level fight one more battle, for no region; everybody else has left the field.

    `reason` is why the game (declined, no-region-left) or the match (points) ended with a tie.
    """

    fighters: tuple[int, ...]
    reason: str


@distinct
class GameEnded(NamedTuple):
    """The game is over; several winners share the victory, and a draw has none. No region is contested any more.

    `reasons`: adjacent-regions, total-regions, battles-won, no-region-left, declined, final-battle, out-of-cards,
    stall, battle-limit, or resignation (all others have resigned, or all others that fought the final battle).
    """

    winners: tuple[int, ...]
    reasons: tuple[str, ...]


@distinct
class MatchScored(NamedTuple):
    """A game of a match was scored: what each seat gained, and the points that it has now."""

    gained: tuple[int, ...]
    points: tuple[int, ...]


@distinct
class MatchEnded(NamedTuple):
    """The match is over; several winners share the victory, and a draw has none.

    `reasons`: points, final-battle, no-points (the last game brought nobody any), or resignation as in `GameEnded`.
    """

    winners: tuple[int, ...]
    reasons: tuple[str, ...]


Event = (
    GameStarted
    | MarkerTaken
    | HandsDealt
    | CardsDrawn
    | DiscardReshuffled
    | RegionChosen
    | RegionDeclined
    | CardPlayed
    | CardLaidFaceDown
    | CardTurnedUp
    | CardTakenBack
    | MercenariesRemoved
    | FavorMoved
    | SeatPassed
    | SeatResigned
    | BattleEnded
    | RowsDiscarded
    | HandKept
    | HandDiscarded
    | CardsKept
    | RoundStalled
    | RoundEnded
    | TurnStarted
    | FinalBattleStarted
    | GameEnded
    | MatchScored
    | MatchEnded
)

LASTING = frozenset({SeatResigned, MatchScored})
"""Events that still matter to a match when its next game has started; nothing else is left of the games before it."""
