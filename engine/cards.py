"""The fifteen kinds of card that the editions use, and hands as counts by kind.

Inside the engine, a kind is a small int, and a pile of cards is a sequence of fifteen counts, indexed by kind. Names
(`mercenary-10`, `courtesan`) are used only in records and documents.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, repeat

Hand = tuple[int, ...]
"""Cards as counts by kind: an immutable tuple of fifteen ints."""

Pile = list[int]
"""Cards as counts by kind: a list of fifteen ints that belongs to one state and is changed in place."""

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
"""The names of the kinds, indexed by kind. Cards are always listed in this order."""

KIND: Mapping[str, int] = {name: kind for kind, name in enumerate(NAMES)}
"""Each kind, by its name."""

KINDS = len(NAMES)
MERCENARIES = range(7)
"""The mercenary kinds, weakest first."""

VALUES = (1, 2, 3, 4, 5, 6, 10)
"""The printed value of each mercenary kind."""

HEROINE, DRUMMER, COURTESAN, WINTER, SPRING, BISHOP, SCARECROW, SURRENDER = range(7, KINDS)

NOTHING: Hand = (0,) * KINDS


def hand_of_counts(counts: Mapping[str, int]) -> Hand:
    """Return the hand that contains these numbers of cards.

    `counts` maps the name of a kind to its number of cards. If a kind is missing, the hand has no card of that kind.

    >>> hand_of_counts({"mercenary-1": 2, "drummer": 1})
    (2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
    """
    return tuple(counts.get(name, 0) for name in NAMES)


def hand_of(names: Iterable[str]) -> Hand:
    """Return the hand that contains the named cards.

    Raises: KeyError for a name that is not in `NAMES`.

    >>> names_of(hand_of(["drummer", "mercenary-1", "mercenary-1"]))
    ['mercenary-1', 'mercenary-1', 'drummer']
    """
    counts = [0] * KINDS
    for name in names:
        counts[KIND[name]] += 1
    return tuple(counts)


def names_of(cards: Sequence[int]) -> list[str]:
    """Return the names of these cards (counts by kind), one name per card, in the order of `NAMES`."""
    return [name for kind in compress(range(KINDS), cards) for name in repeat(NAMES[kind], cards[kind])]


def has_mercenaries(cards: Sequence[int]) -> bool:
    """Return whether any of these cards (counts by kind) is a mercenary.

    >>> has_mercenaries(hand_of(["heroine", "winter"]))
    False
    """
    return any(cards[:7])
