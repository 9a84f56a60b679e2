"""Test positions and moves in a short notation, for tests of the form given, when, then.

Seats are the letters A to F, clockwise. Cards are separated by spaces: 1 2 3 4 5 6 10 are mercenaries, H a heroine,
D a drummer, S a courtesan (spy), W winter, P spring, B a bishop, C a scarecrow, X a surrender (turncoat).

    given = table("zman-2018", rows=["10 6 5 D", "4 4", ""], hands=["X", "2", "5"], turn="B")
    then = play(given, "B plays 2", "C passes")
    assert strengths_of(then.state) == (42, 10, 0)
"""

from collections.abc import Iterable, Mapping, Sequence
from types import EllipsisType
from typing import NamedTuple, TypeVar

from engine import (
    ChooseRegion,
    Command,
    DeclineRegion,
    DiscardHand,
    DrawCards,
    Edition,
    Event,
    KeepCards,
    KeepHand,
    Pass,
    PlayCard,
    State,
    advance,
    edition,
    evolve,
    resign,
)
from engine.cards import KIND, KINDS, NOTHING, Hand, Pile, hand_of
from engine.italy import ITALY
from engine.phase_names import BATTLE
from engine.rules.strength import strengths
from engine.state import NO_CARD, NOWHERE

SEATS = "ABCDEF"

LETTERS = {
    **{value: f"mercenary-{value}" for value in ("1", "2", "3", "4", "5", "6", "10")},
    "H": "heroine",
    "D": "drummer",
    "S": "courtesan",
    "W": "winter",
    "P": "spring",
    "B": "bishop",
    "C": "scarecrow",
    "X": "surrender",
}

ANY = ...
"""A deal whose cards do not matter: the first cards of the deck."""

Kind = TypeVar("Kind")


def kind(letter: str) -> int:
    """Return the kind of card that a letter stands for."""
    return KIND[LETTERS[letter]]


def cards(letters: str) -> Hand:
    """Return the cards that these letters stand for, as counts by kind."""
    return hand_of(LETTERS[letter] for letter in letters.split())


def region(key: str) -> int:
    """Return the index of a region."""
    return ITALY.index[key]


def regions(keys: str) -> int:
    """Return the set of these regions, with one bit for each region."""
    return sum(1 << region(key) for key in keys.split())


def seats_of(letters: str) -> list[int]:
    """Return the seats that these letters stand for: "AC" is seats 0 and 2."""
    return [SEATS.index(letter) for letter in letters]


def table(
    key: str | Edition,
    seats: int = 3,
    *,
    rows: Sequence[str] = (),
    hands: Sequence[str] = (),
    held: Sequence[str] = (),
    discard: str = "",
    decks: Sequence[str] | None = None,
    season: str | None = None,
    favor: str | None = None,
    hidden: Sequence[str] = (),
    won: Sequence[int] = (),
    points: Sequence[int] = (),
    declines: int = 0,
    fighters: str = "",
    gone: str = "",
    battles: int = 1,
    marker: str = "A",
    turn: str = "A",
    phase: str = BATTLE,
    contested: str | None = "torino",
    passed: str = "",
    options: Mapping[str, object] | None = None,
    revision: int | None = None,
) -> State:
    """Return a position. Values that are not given are empty. All other cards are in the decks.

    If `decks` are given, the other cards are in the discard instead. In a battle, a seat without cards in hand has
    passed, and a seat with a row has laid a card. One battle has already been fought, so that an aftermath follows and
    not the opening. Without a board, and in a final battle, no region is contested. A seat in `gone` has no cards. The
    default revision is the newest.
    """
    state = State(edition(key, revision, options) if isinstance(key, str) else key, seats)
    for seat, letters in enumerate(hands):
        state.hands[seat] = list(cards(letters))
    for seat, letters in enumerate(rows):
        state.rows[seat] = list(cards(letters))
        state.laid |= bool(letters) << seat
    for seat, letters in enumerate(hidden):
        state.hidden[seat] = tuple(kind(letter) for letter in letters.split())
        state.laid |= bool(letters) << seat
    for seat, keys in enumerate(held):
        assert not regions(keys) & state.owned_regions(), "a region has one owner"
        state.held[seat] = regions(keys)
    state.discard = list(cards(discard))
    state.season = NO_CARD if season is None else kind(season)
    state.favor = NOWHERE if favor is None else region(favor)
    state.marker, state.turn = seats_of(marker + turn)
    state.phase = phase
    state.battles = battles
    state.declines = declines
    state.won = list(won) or [0] * seats
    state.points = tuple(points) or (0,) * seats
    state.fighters = sum(1 << seat for seat in seats_of(fighters))
    state.gone = sum(1 << seat for seat in seats_of(gone))
    state.passed = state.bystanders()
    if phase == BATTLE:
        nowhere = contested is None or fighters or state.edition.board is None
        state.contested = NOWHERE if nowhere else region(str(contested))
        state.passed = sum(1 << seat for seat in range(seats) if SEATS[seat] in passed or not any(state.hands[seat]))
    if decks is None:
        _put_the_rest_into_the_decks(state)
    else:
        state.decks = [list(cards(letters)) for letters in decks]
        state.discard = _less(printed_cards(state), all_cards(state))
    piles = (*state.decks, state.discard)
    assert not any(any(state.hands[seat]) for seat in seats_of(gone)), "a seat that has resigned has no cards"
    assert min(map(min, piles)) >= 0, f"{state.edition.key} does not print so many cards of a kind"
    return state


def _put_the_rest_into_the_decks(state: State) -> None:
    """Put all remaining cards into the decks.

    If each seat has a deck, cards in the discard and the season are taken from the first deck that contains them.
    """
    if not state.edition.deck_each:
        state.decks = [_less(state.edition.deck, all_cards(state, decks=False))]
        return
    for seat in range(state.seats):
        own = (*state.hands[seat], *state.rows[seat])
        state.decks[seat] = _less(_less(state.edition.deck, own[:KINDS]), own[KINDS:])
    for card, count in enumerate(_less(all_cards(state), printed_cards(state))):
        for deck in state.decks:
            gone = max(0, min(count, deck[card]))
            deck[card] -= gone
            count -= gone
        assert not count, f"{state.edition.key} does not print so many cards of a kind"


def _less(cards: Sequence[int], others: Sequence[int]) -> Pile:
    return [count - other for count, other in zip(cards, others, strict=True)]


def printed_cards(state: State) -> Hand:
    """Return every card of the game: the edition's deck, once per seat if each seat has its own deck."""
    return tuple(count * len(state.decks) for count in state.edition.deck)


def all_cards(state: State, *, decks: bool = True) -> Hand:
    """Return every card of a position, wherever it is."""
    piles = [*state.hands, *state.rows, state.discard, *(state.decks if decks else [])]
    counts = [sum(pile[card] for pile in piles) + sum(h.count(card) for h in state.hidden) for card in range(KINDS)]
    if state.season != NO_CARD:
        counts[state.season] += 1
    return tuple(counts)


class Script:
    """A chance with a fixed list of lots and deals, all of which must be used in order.

    A lot is written "B of ABC": the seats A, B and C draw, and B wins. A deal is one string of cards per seat, or
    `ANY`.
    """

    def __init__(self, *, lots: Sequence[str] = (), deals: Sequence[Sequence[str] | EllipsisType] = ()) -> None:
        """Store the lots and deals."""
        self._lots = list(lots)
        self._deals = list(deals)
        self.draws: list[int] = []

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Return the next lot of the list."""
        assert self._lots, f"nobody wrote down a lot among seats {list(seats)}"
        winner, _, among = self._lots.pop(0).split()
        assert list(seats) == seats_of(among)
        self.draws.append(draw)
        return SEATS.index(winner)

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:
        """Return the next deal of the list."""
        assert self._deals, f"nobody wrote down a deal of {list(sizes)}"
        written = self._deals.pop(0)
        hands = _first_of(deck, sizes) if isinstance(written, EllipsisType) else tuple(map(cards, written))
        assert [sum(hand) for hand in hands] == list(sizes)
        assert all(sum(counts) <= left for left, *counts in zip(deck, *hands, strict=True))
        self.draws.append(draw)
        return hands

    def all_drawn(self) -> bool:
        """Return whether all lots and deals have been used."""
        return not self._lots and not self._deals


def _first_of(deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:
    pile = [card for card, count in enumerate(deck) for _ in range(count)]
    hands = []
    for size in sizes:
        dealt, pile = pile[:size], pile[size:]
        hands.append(tuple(dealt.count(card) for card in range(KINDS)))
    return tuple(hands)


class PlayResult(NamedTuple):
    """The result of some moves: the final position and all events."""

    state: State
    events: list[Event]


def play(state: State, *moves: str, chance: Script | None = None) -> PlayResult:
    """Make these moves and resignations in order. Without a script, a draw is an error."""
    script = chance or Script()
    events: list[Event] = []
    for move in moves:
        left = state.copy()
        resigned = move.endswith(" resigns")
        chain = resign(left, SEATS.index(move[0]), script) if resigned else advance(left, command(move), script)
        for event in chain:
            state = evolve(state, event)
        assert state == left, "the events lead to another position"
        events += chain
    assert script.all_drawn(), "more was written down than drawn"
    return PlayResult(state, events)


def command(move: str) -> Command:
    """Return the command that a sentence describes.

    "A chooses roma", "B plays 10", "B plays C taking 3", "B plays C taking 3 of A", "B plays B favoring roma",
    "B plays 3 turning up 10", "C passes", "C passes turning up 3", "C keeps", "C discards", "A declines",
    "A keeps 10 H", "A keeps nothing", "A draws 3".
    """
    who, *words = move.split()
    seat = SEATS.index(who)
    match words:
        case ["chooses", key]:
            return ChooseRegion(seat, region(key))
        case ["plays", card]:
            return PlayCard(seat, kind(card))
        case ["plays", card, "taking", taken]:
            return PlayCard(seat, kind(card), take=kind(taken), take_from=seat)
        case ["plays", card, "taking", taken, "of", owner]:
            return PlayCard(seat, kind(card), take=kind(taken), take_from=SEATS.index(owner))
        case ["plays", card, "favoring", key]:
            return PlayCard(seat, kind(card), favor=region(key))
        case ["plays", card, "turning", "up", turned]:
            return PlayCard(seat, kind(card), turn_up=kind(turned))
        case ["declines"]:
            return DeclineRegion(seat)
        case ["draws", number] if number.isdigit():
            return DrawCards(seat, int(number))
        case ["keeps", "nothing"]:
            return KeepCards(seat, NOTHING)
        case ["keeps", *kept] if kept:
            return KeepCards(seat, cards(" ".join(kept)))
        case ["passes"]:
            return Pass(seat)
        case ["passes", "turning", "up", turned]:
            return Pass(seat, kind(turned))
        case ["keeps"]:
            return KeepHand(seat)
        case ["discards"]:
            return DiscardHand(seat)
    raise ValueError(f"not a move: {move}")


def only(kind_of_event: type[Kind], events: Sequence[object]) -> Kind:
    """Return the one event of this type among these."""
    found = every(kind_of_event, events)
    assert len(found) == 1, f"{len(found)} events are {kind_of_event.__name__}"
    return found[0]


def every(kind_of_event: type[Kind], events: Sequence[object]) -> list[Kind]:
    """Return the events of this type among these."""
    return [event for event in events if isinstance(event, kind_of_event)]


def types(events: Sequence[object]) -> list[str]:
    """Return the names of the types of these events."""
    return [type(event).__name__ for event in events]


def named(values: Iterable[object]) -> list[tuple[str, object]]:
    """Return commands or events with the names of their types, which tell apart those with equal fields."""
    return [(type(value).__name__, value) for value in values]


def strengths_of(state: State) -> tuple[int, ...]:
    """Return the strength of each row."""
    return strengths(state.edition, state.rows, state.season)
