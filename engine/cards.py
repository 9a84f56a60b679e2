"""The fifteen kinds of card that any edition prints, and hands as counts by kind.

Inside the engine a kind is a small int and a pile of cards is a sequence of fifteen counts, indexed by kind. Names
(`mercenary-10`, `courtesan`) live at the edges: records, views, documents.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, repeat

Hand = tuple[int, ...]
"""Cards as counts by kind: fifteen ints, frozen."""

Pile = list[int]
"""Cards as counts by kind: fifteen ints, owned by one state and changed in place."""

NAMES = (
    "mercenary-1",
    "mercenary-2",
    "mercenary-3",
    "mercenary-4",
    "mercenary-5",
    "mercenary-6",
    "mercenary-10",
    "heroine",
    "drummer",
    "courtesan",
    "winter",
    "spring",
    "bishop",
    "scarecrow",
    "surrender",
)
"""Names of the kinds, in the order of their numbers; cards are listed in this order wherever they are named."""

KIND: Mapping[str, int] = {name: kind for kind, name in enumerate(NAMES)}
"""Number of each kind by its name."""

KINDS = len(NAMES)
MERCENARIES = range(7)
"""The kinds that are mercenaries, weakest first."""

VALUES = (1, 2, 3, 4, 5, 6, 10)
"""Printed value of each mercenary kind."""

HEROINE, DRUMMER, COURTESAN, WINTER, SPRING, BISHOP, SCARECROW, SURRENDER = range(7, KINDS)

NOTHING: Hand = (0,) * KINDS


def counted(counts: Mapping[str, int]) -> Hand:
    """Return the hand that holds each named kind so many times.

    >>> counted({"mercenary-1": 2, "drummer": 1})
    (2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
    """
    return tuple(counts.get(name, 0) for name in NAMES)


def hand_of(names: Iterable[str]) -> Hand:
    """Return the hand made of the named cards.

    Raises: KeyError for a name that no edition prints.

    >>> names_of(hand_of(["drummer", "mercenary-1", "mercenary-1"]))
    ['mercenary-1', 'mercenary-1', 'drummer']
    """
    counts = [0] * KINDS
    for name in names:
        counts[KIND[name]] += 1
    return tuple(counts)


def names_of(cards: Sequence[int]) -> list[str]:
    """Return the name of every card, one entry a card, in the order of `NAMES`."""
    return [name for kind in compress(range(KINDS), cards) for name in repeat(NAMES[kind], cards[kind])]


def has_mercenaries(cards: Sequence[int]) -> bool:
    """Tell whether any of these cards is a mercenary.

    >>> has_mercenaries(hand_of(["heroine", "winter"]))
    False
    """
    return any(cards[:7])
