"""Notation: a position as one line of text, for people, error reports and test files.

    position = key "@" revision {"," option "=" value} " seats=" number {" " field "=" value}

Only options with a value other than their default are written, in the edition's order. Empty fields are left out. All
other fields are written, in this order:

    field                                            value
    seen_by                                          a seat or `spectator`; only in the notation of a view
    phase                                            name of the phase, as in `turn-started`, or `setup` or `over`
    step                                             index of the current step, from 0; only if the edition's opening,
                                                     aftermath or final battle has that step more than once
    turn marker                                      a seat
    contested favor                                  a region, by its key
    season                                           a card
    passed laid answered fighters gone               seats: `0,2`
    hands rows                                       a pile for each seat: `3,10*2/-/S`
    hidden                                           face-down cards for each seat, in the order in which they were laid
    decks                                            the pile of the one deck, or of each seat's deck
    discard                                          a pile
    held                                             regions for each seat: `roma,siena/-/napoli`
    won points                                       a number for each seat: `2/0/1`
    rounds battles declines idle stalls games draws  a number
    result                                           `game` or `match`, winners and reasons: `game:0,2:stall`

Seats are numbers from 0. `/` separates the values of different seats, in seat order. `,` separates the items of a list.
`-` stands for an empty value. Cards are written as letters or numbers, in the order of `engine.cards.NAMES`. If there
are several cards of the same kind, `*` and the number of cards follow the kind's letter or number:

    1 2 3 4 5 6 10   mercenaries      W   winter       B   bishop
    H                heroine          P   spring       C   scarecrow
    D                drummer          S   courtesan    X   surrender

In the notation of a view, cards that the seat does not see are written as `?` followed by the number of cards:
`hands=?7/1,X*2/?4`. In a view, `idle` becomes 0 as soon as a card is laid. A view hides cards, so its notation cannot
be converted back to a position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .board import members
from .cards import KINDS
from .editions import edition
from .errors import BadRecord, EngineError
from .events import GameEnded, MatchEnded
from .italy import ITALY
from .phase_names import BATTLE, CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD, OVER, SETUP
from .state import NO_CARD, NOBODY, NOWHERE, State

if TYPE_CHECKING:
    from .edition import Edition
    from .views import View

LETTERS = ("1", "2", "3", "4", "5", "6", "10", "H", "D", "S", "W", "P", "B", "C", "X")
"""The letter of each kind of card, indexed by kind."""

SEATS = ("0", "1", "2", "3", "4", "5")
PHASE_NAMES = (SETUP, CHOOSE_REGION, BATTLE, KEEP_OR_DISCARD, KEEP_CARDS, DRAW_CARDS, OVER)


def to_notation(state: State) -> str:
    """Return the notation of a position, including every hand.

    Use this notation only for tests and for finished games.

    >>> from engine import DEFAULT, RandomChance, replay, start
    >>> from random import Random
    >>> state = replay(start(DEFAULT, 3, RandomChance(Random(1)), {"battle_limit": 9}))
    >>> to_notation(state).removeprefix(DEFAULT)  # doctest: +NORMALIZE_WHITESPACE
    '@2,battle_limit=9 seats=3 phase=choose-region turn=0 marker=0
    hands=1,2,4,10,D,S,C*3,X/1,2,4,6*2,10,H,D,S,P/1*2,2,4,5*2,S,P,C*2
    decks=1*6,2*5,3*8,4*5,5*6,6*6,10*6,H*2,D*4,S*9,W*3,P,B*6,C*11,X*2 draws=2'
    >>> from_notation(to_notation(state)) == state
    True
    """
    return _line(state.edition, state.seats, [(name, form.write(getattr(state, name))) for name, form in FORMS.items()])


def view_notation(view: View) -> str:
    """Return the notation of a view, which shows only what one seat, or a spectator, may see.

    A view hides cards, so its notation does not identify one position, and `from_notation` rejects it.

    >>> from engine import DEFAULT, RandomChance, replay, start, view_for
    >>> from random import Random
    >>> view_notation(view_for(replay(start(DEFAULT, 3, RandomChance(Random(1)))), seat=1)).removeprefix(DEFAULT)
    '@2 seats=3 seen_by=1 phase=choose-region turn=0 marker=0 hands=?10/1,2,4,6*2,10,H,D,S,P/?10 decks=?80'
    """
    seen_by = "spectator" if view.seat is None else str(view.seat)
    fields = [("seen_by", seen_by)]
    for name, form in FORMS.items():
        if name in view._fields:
            form = PILES if name == "hidden" else form
            fields.append((name, form.write(getattr(view, name))))
    return _line(view.edition, len(view.hands), fields)


def from_notation(text: str) -> State:
    """Return the position that a line describes, without checking whether a game can reach this position.

    Raises: BadRecord if the line is not exactly what `to_notation` returns for a position.

    >>> from engine import DEFAULT
    >>> state = from_notation(f"{DEFAULT}@1 seats=3 phase=battle turn=1 hands=10/3/- held=roma/-/-")
    >>> state.hands[0][6], state.turn
    (1, 1)
    >>> from_notation(f"{DEFAULT}@1 seats=3 phase=battle turn=3")
    Traceback (most recent call last):
    engine.errors.BadRecord: turn=3: there is no seat 3
    """
    words = text.split(" ")
    state = _set_table(words[:2])
    texts = _fields_of(words[2:])
    for name, form in FORMS.items():
        try:
            setattr(state, name, form.read(state, texts.get(name, "")))
        except ValueError as error:
            raise BadRecord(f"{name}={texts.get(name, '')}: {error}") from error
    if to_notation(state) != text:
        raise BadRecord(
            f"this is not the canonical notation of the position; the canonical notation is {to_notation(state)}"
        )
    return state


def _line(value: Edition, seats: int, fields: Iterable[tuple[str, str]]) -> str:
    chosen = [f",{o.key}={_option(value.chosen[o.key])}" for o in value.options if value.chosen[o.key] != o.default]
    return " ".join(
        [
            f"{value.key}@{value.revision}{''.join(chosen)}",
            f"seats={seats}",
            *(f"{name}={text}" for name, text in fields if text),
        ]
    )


def _set_table(words: Sequence[str]) -> State:
    """Return the empty table described by the first two words of a line."""
    key, *options = words[0].split(",")
    key, _, revision = key.partition("@")
    try:
        choices = dict(option.split("=") for option in options)
        value = edition(key, int(revision), {name: _read_option(text) for name, text in choices.items()})
    except EngineError as error:
        raise BadRecord(f"{words[0]}: {error}") from error
    except ValueError as error:
        advice = "write an edition as KEY@REVISION, followed by ,OPTION=VALUE for each option"
        raise BadRecord(f"{words[0]}: {advice}") from error
    seats = words[1].removeprefix("seats=") if len(words) > 1 else ""
    allowed = [str(number) for number in range(value.fewest_seats, value.most_seats + 1)]
    if seats not in allowed:
        known = ", ".join(f"seats={number}" for number in allowed)
        raise BadRecord(f"the second word of a position in {key} must be one of {known}")
    return State(value, int(seats))


def _fields_of(words: Iterable[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if name == "seen_by":
            raise BadRecord(f"{word}: the notation of a view hides cards, so a position cannot be read from it")
        if name not in FORMS or not equals or name in texts:
            raise BadRecord(f"{word!r}: after the seats, write each field once, as name=value: {', '.join(FORMS)}")
        texts[name] = text
    return texts


def _option(choice: str | int) -> str:
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def _read_option(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdecimal() else text


# Forms of values


class _Form(NamedTuple):
    """A pair of functions that write and read one type of value. An empty value is written as an empty string."""

    write: Callable[[Any], str]
    read: Callable[[State, str], Any]


def _index(names: Sequence[str], noun: str, absent: int) -> _Form:
    """Return the `_Form` of an index, which is written as a name.

    A missing index is `absent` in a position and None in a view.
    """

    def write(index: int | None) -> str:
        return "" if index is None or index == absent else names[index]

    def read(state: State, text: str) -> int:
        known = names[: state.seats] if names is SEATS else names
        if text and text not in known:
            raise ValueError(f"there is no {noun} {text}")
        return known.index(text) if text else absent

    return _Form(write, read)


def _set(item: _Form) -> _Form:
    """Return the `_Form` of a set.

    A view contains a set as a sequence. A position contains a set as an int with one bit per member.
    """

    def write(indices: int | Sequence[int]) -> str:
        return ",".join(map(item.write, members(indices) if isinstance(indices, int) else indices))

    def read(state: State, text: str) -> int:
        return sum({1 << item.read(state, name) for name in _items(text) if name})

    return _Form(write, read)


def _each(item: _Form, nothing: str, convert: Callable[[list[Any]], Any] = list) -> _Form:
    """Return the `_Form` of a list with one value per seat. `nothing` is the text for an empty value."""

    def write(values: Iterable[Any]) -> str:
        texts = [item.write(value) or nothing for value in values]
        return "/".join(texts) if any(text != nothing for text in texts) else ""

    def read(state: State, text: str) -> Any:
        return convert([item.read(state, part) for part in _parts(text, nothing, state.seats)])

    return _Form(write, read)


def _parts(text: str, nothing: str, number: int) -> list[str]:
    parts = text.split("/") if text else [nothing] * number
    if len(parts) != number:
        raise ValueError(f"the number of parts separated by / must be {number}, not {len(parts)}")
    return ["" if part == nothing else part for part in parts]


def _items(text: str) -> list[str]:
    return text.split(",") if text else []


def _read_number(state: State, text: str) -> int:
    if not (text or "0").isdecimal():
        raise ValueError(f"{text} is not a number")
    return int(text or "0")


def _read_phase(state: State, text: str) -> str:
    if text not in PHASE_NAMES:
        raise ValueError(f"the phase must be one of {', '.join(PHASE_NAMES)}")
    return text


def _read_step(state: State, text: str) -> int | None:
    return _read_number(state, text) if text else None


def _write_pile(pile: int | Sequence[int]) -> str:
    if isinstance(pile, int):
        return f"?{pile}" if pile else ""
    return ",".join(f"{letter}*{n}" if n > 1 else letter for letter, n in zip(LETTERS, pile, strict=True) if n)


def _read_pile(state: State, text: str) -> list[int]:
    pile = [0] * KINDS
    for copies in _items(text):
        letter, times, count = copies.partition("*")
        pile[CARD.read(state, letter)] += _read_number(state, count) if times else 1
    return pile


def _write_kinds(kinds: Sequence[int]) -> str:
    return ",".join(map(CARD.write, kinds))


def _read_kinds(state: State, text: str) -> tuple[int, ...]:
    return tuple(CARD.read(state, letter) for letter in _items(text))


def _read_decks(state: State, text: str) -> list[list[int]]:
    return [_read_pile(state, part) for part in _parts(text, "-", len(state.decks))]


def _write_result(result: GameEnded | MatchEnded | None) -> str:
    if result is None:
        return ""
    over = "match" if isinstance(result, MatchEnded) else "game"
    return f"{over}:{SEAT_SET.write(result.winners) or '-'}:{','.join(result.reasons)}"


def _read_result(state: State, text: str) -> GameEnded | MatchEnded | None:
    if not text:
        return None
    over, *rest = text.split(":")
    if over not in ("game", "match") or len(rest) != 2:
        raise ValueError("write a result as SCOPE:WINNERS:REASONS, where SCOPE is game or match")
    winners = tuple(SEAT.read(state, seat) for seat in _items(rest[0].removeprefix("-")))
    return (GameEnded if over == "game" else MatchEnded)(winners, tuple(_items(rest[1])))


SEAT, CARD = _index(SEATS, "seat", NOBODY), _index(LETTERS, "card", NO_CARD)
REGION = _index([region.key for region in ITALY.regions], "region", NOWHERE)
SEAT_SET = _set(SEAT)
NUMBER = _Form(lambda number: str(number) if number else "", _read_number)
PILE = _Form(_write_pile, _read_pile)
PILES = _each(PILE, "-")

FORMS: Mapping[str, _Form] = {
    "phase": _Form(str, _read_phase),
    "step": _Form(lambda step: "" if step is None else str(step), _read_step),
    "turn": SEAT,
    "marker": SEAT,
    "contested": REGION,
    "favor": REGION,
    "season": CARD,
    "passed": SEAT_SET,
    "laid": SEAT_SET,
    "answered": SEAT_SET,
    "fighters": SEAT_SET,
    "gone": SEAT_SET,
    "hands": PILES,
    "rows": PILES,
    "hidden": _each(_Form(_write_kinds, _read_kinds), "-"),
    "decks": _Form(PILES.write, _read_decks),
    "discard": PILE,
    "held": _each(_set(REGION), "-"),
    "won": _each(NUMBER, "0"),
    "points": _each(NUMBER, "0", tuple),
    **dict.fromkeys(("rounds", "battles", "declines", "idle", "stalls", "draws", "games"), NUMBER),
    "result": _Form(_write_result, _read_result),
}
"""The form of each field, in the order of the notation."""
