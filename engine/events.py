"""Events: what happened in a game, as immutable named tuples. An event includes its outcome, such as the cards drawn.

Events are not checked when they are applied to a state. Every event is public, but some of its fields may be secret.
`secrecy` defines what other seats see in place of a secret field. The last event that a command causes is
`TurnStarted`, `GameEnded` or `MatchEnded`.
"""

from typing import NamedTuple

from .cards import Hand
from .values import distinct

Cards = Hand | int
"""Cards as counts by kind, or only the number of cards for viewers who may not see them."""


@distinct
class GameStarted(NamedTuple):
    """A game started, with this edition and revision, these options and this number of seats.

    In a match, each game starts with this event, and all games have the same edition, options and seats.
    """

    edition: str
    revision: int
    options: tuple[tuple[str, object], ...]
    seats: int


@distinct
class MarkerTaken(NamedTuple):
    """A seat took or kept the battle marker.

    `reason` is one of: lot, victory, courtesans, owner (of the contested region), holder (the same seat keeps it), left
    (the seat to the left of the previous holder or of a seat that has resigned), declined (the previous holder chose no
    region). `draw` is the number of the lot, or None if no lot was drawn.
    """

    seat: int
    reason: str
    draw: int | None


@distinct
class HandsDealt(NamedTuple):
    """Cards were dealt from the deck to every seat, in seat order. Each seat sees only its own cards."""

    hands: tuple[Cards, ...]
    draw: int


@distinct
class CardsDrawn(NamedTuple):
    """A seat drew cards from its deck. Only the seat that drew the cards sees them. `draw` is None if the seat drew no
    cards.

    `number` is how many cards the seat was supposed to draw. If the deck ran out first, `cards` has fewer than `number`
    cards. The discard is then reshuffled, and another `CardsDrawn` contains the remaining cards.
    """

    seat: int
    cards: Cards
    draw: int | None
    number: int


@distinct
class DiscardReshuffled(NamedTuple):
    """The discard was shuffled back into the deck."""


@distinct
class RegionChosen(NamedTuple):
    """The holder of the battle marker chose the region of the next battle."""

    seat: int
    region: int


@distinct
class RegionDeclined(NamedTuple):
    """The holder of the battle marker declined to choose a region."""

    seat: int


@distinct
class CardPlayed(NamedTuple):
    """A seat laid a card. `take`, `take_from` and `favor` are copied from the command.

    `place` is one of: row (the card stays in the seat's row), discard (it is discarded immediately), season (it
    replaces the season in force).
    """

    seat: int
    card: int
    place: str
    take: int | None
    take_from: int | None
    favor: int | None


@distinct
class CardLaidFaceDown(NamedTuple):
    """A seat laid a card face down. Only that seat sees `card` and `turn_up`. For other seats, `card` and `turn_up` are
    None.

    `turn_up` is copied from the command: the kind that the seat chose to turn up, or None if the seat had no choice.
    """

    seat: int
    card: int | None
    turn_up: int | None


@distinct
class CardTurnedUp(NamedTuple):
    """A seat's face-down card was turned up.

    `newest` is True if the seat had two face-down cards and laid this card last, and False otherwise. Only that seat
    sees `newest`, because True reveals that the two cards were of different kinds. For other seats, `newest` is None.
    """

    seat: int
    card: int
    newest: bool | None


@distinct
class CardTakenBack(NamedTuple):
    """A scarecrow moved a mercenary from the row of the seat `taken_from` to the hand of `seat`."""

    seat: int
    card: int
    taken_from: int


@distinct
class MercenariesRemoved(NamedTuple):
    """A bishop discarded every copy of one mercenary.

    `counts` says how many copies were discarded from each seat's row.
    """

    card: int
    counts: tuple[int, ...]


@distinct
class FavorMoved(NamedTuple):
    """The favor marker moved to a region or, if `region` is None, off the board."""

    region: int | None


@distinct
class SeatPassed(NamedTuple):
    """A seat passed.

    After a pass that is not `final`, the seat may still lay cards in this battle. If `forced` is True, the engine
    passed for the seat, because the seat's hand is empty.
    """

    seat: int
    final: bool
    forced: bool


@distinct
class SeatResigned(NamedTuple):
    """A seat resigned from the game and from the rest of its match.

    During a battle, resigning counts as a final pass. In a final battle, the seat is no longer a fighter. The count of
    consecutive declines restarts at 0.
    """

    seat: int


@distinct
class BattleEnded(NamedTuple):
    """A battle ended. The winner, if there is one, now owns the region.

    `region` is None for a battle without a region. `cause` is one of `passes`, `surrender` and `bishop`. `strengths`
    lists the strengths in seat order, or is None if the rows were not compared. `leaders` are the seats with the
    highest strength, or every seat in the battle if the rows were not compared.
    """

    region: int | None
    cause: str
    strengths: tuple[int, ...] | None
    leaders: tuple[int, ...]
    winner: int | None


@distinct
class RowsDiscarded(NamedTuple):
    """All rows and the season in force were discarded."""


@distinct
class HandKept(NamedTuple):
    """A seat kept its hand after a battle."""

    seat: int


@distinct
class HandDiscarded(NamedTuple):
    """A seat discarded cards from its hand. Only that seat sees the discarded cards. `forced` is True if the seat had
    no choice.
    """

    seat: int
    cards: Cards
    forced: bool


@distinct
class CardsKept(NamedTuple):
    """The last seat with cards chose cards to keep, and discarded the rest. Only that seat sees the kept cards."""

    seat: int
    cards: Cards


@distinct
class RoundStalled(NamedTuple):
    """A house rule ended the round, because no card was laid in `battles` consecutive battles."""

    battles: int


@distinct
class RoundEnded(NamedTuple):
    """The round ended, and the discard was shuffled back into the deck."""


@distinct
class TurnStarted(NamedTuple):
    """The game now waits for this seat to give a command of this phase.

    `step` is the zero-based index of the current step in the edition's opening, aftermath or final battle. `step` is
    None if the opening, aftermath or final battle contains the step only once, because the phase then identifies the
    step.
    """

    seat: int
    phase: str
    step: int | None = None


@distinct
class FinalBattleStarted(NamedTuple):
    """A final battle, which is not fought for a region, started between the tied seats.

    The other seats take no part. `reason` says what led to the tie: declined or no-region-left in a game, points in a
    match.
    """

    fighters: tuple[int, ...]
    reason: str


@distinct
class GameEnded(NamedTuple):
    """The game ended. Several winners share the victory; a draw has no winner.

    `reasons` are one or more of: adjacent-regions, total-regions, battles-won, no-region-left, declined, final-battle,
    out-of-cards, stall, battle-limit, resignation (all seats but one, or all fighters but one in a final battle, have
    resigned), consent (the players agreed to end the game).
    """

    winners: tuple[int, ...]
    reasons: tuple[str, ...]


@distinct
class MatchScored(NamedTuple):
    """A game of a match was scored.

    `gained` lists the points that each seat gained in the game, and `points` lists the new totals.
    """

    gained: tuple[int, ...]
    points: tuple[int, ...]


@distinct
class MatchEnded(NamedTuple):
    """The match ended. Several winners share the victory; a draw has no winner.

    `reasons` are one or more of: points, final-battle, no-points (no seat gained points in the last game), resignation
    and consent (as in `GameEnded`).
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

MATCH_EVENTS = frozenset({SeatResigned, MatchScored})
"""The types of event that still affect a match after its next game has started."""
