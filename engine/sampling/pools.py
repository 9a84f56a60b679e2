"""Pools: sets of cards whose kinds a seat knows.

The seat also knows how many of a pool's cards are at each place, but not which card is where.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, repeat
from math import comb, inf, perm, prod
from typing import TYPE_CHECKING

from ..cards import KINDS, MERCENARIES, Hand

if TYPE_CHECKING:
    from collections.abc import Collection
    from random import Random

    from ..cards import Pile

ALL_KINDS = range(KINDS)
NO_MERCENARIES = frozenset(ALL_KINDS).difference(MERCENARIES)


Held = tuple[Hand, tuple[int, ...], bool]
"""The cards of a pool that stay in hands while the rest is shuffled.

The tuple contains these cards as counts by kind, the number of them in each seat's hand, and the pool's `located`.
"""


class Pool:
    """Cards whose kinds are known: their number by kind (`counts`), and how many of them are at each place.

    For each other seat, `hands` says how many of the cards are in its hand, and `rows` says how many are face down in
    its row. `barren` is the number of cards in the discard that cannot be mercenaries, and `buried` is the number of
    other cards in the discard. The rest of the cards are in a deck. A `located` pool contains the cards of one kind
    that everybody saw go into a hand.
    """

    __slots__ = ("barren", "buried", "counts", "hands", "located", "rows", "total")

    def __init__(self, counts: Pile, hands: list[int], *, located: bool = False) -> None:
        self.counts, self.hands, self.located = counts, hands, located
        self.total = sum(counts)
        self.rows = [0] * len(hands)
        self.buried = self.barren = 0

    def copy(self) -> Pool:
        """Return an independent copy."""
        twin = Pool.__new__(Pool)
        twin.counts, twin.hands, twin.rows = self.counts[:], self.hands[:], self.rows[:]
        twin.located, twin.total, twin.buried, twin.barren = self.located, self.total, self.buried, self.barren
        return twin

    def key(self) -> tuple[object, ...]:
        """Return a value that is the same for equal pools."""
        return (*self.counts, *self.hands, *self.rows, self.buried, self.barren, self.located)

    def reveal(self, kind: int) -> float:
        """Remove a card of this kind, and return the probability that a card at a given place was of this kind."""
        probability = self.counts[kind] / self.total
        self.counts[kind] -= 1
        self.total -= 1
        return probability

    def bound(self) -> int:
        """Return the number of bound cards: the cards that are face down in rows, and the barren cards."""
        return sum(self.rows) + self.barren

    def ways(self, face_down: frozenset[int]) -> list[int]:
        """Return the number of ways to choose the bound (face-down or barren) cards.

        The cards in rows are of the kinds `face_down`, and the barren cards are not mercenaries. Item `n` of the result
        is the number of ways in which exactly `n` of the cards in rows are not mercenaries.
        """
        faces, barren = sum(self.rows), self.barren
        mercenaries = sum([self.counts[kind] for kind in face_down - NO_MERCENARIES])
        others = sum([self.counts[kind] for kind in face_down & NO_MERCENARIES])
        rest = sum([self.counts[kind] for kind in NO_MERCENARIES])
        return [
            comb(faces, number) * perm(others, number) * perm(mercenaries, faces - number) * perm(rest - number, barren)
            for number in range(min(faces, others) + 1)
        ]

    def likelihood(self, face_down: frozenset[int]) -> float:
        """Return the probability that every bound card has a possible kind."""
        bound = self.bound()
        return sum(self.ways(face_down)) / perm(self.total, bound) if bound else 1.0

    def held(self, most: int) -> list[tuple[float, Held]] | None:
        """Return all possible contents of the hands with their probabilities, or None if there are more than `most`."""
        found = selections(self.counts, sum(self.hands), most)
        if found is None:
            return None
        ways = [prod(map(comb, self.counts, cards)) for cards in found]
        if self.barren:
            rest = sum([self.counts[kind] for kind in NO_MERCENARIES])
            left = [rest - sum(cards[len(MERCENARIES) :]) for cards in found]
            ways = [number * perm(others, self.barren) for number, others in zip(ways, left, strict=True)]
        total, hands = sum(ways), tuple(self.hands)
        return [
            (number / total, (cards, hands, self.located)) for number, cards in zip(ways, found, strict=True) if number
        ]

    def held_at_random(self, random: Random) -> Held:
        """Choose possible contents of the hands at random, and return them."""
        cards = spread(self.counts)
        take(cards, NO_MERCENARIES, self.barren, random)
        kinds = take(cards, ALL_KINDS, sum(self.hands), random)
        return tuple([kinds.count(kind) for kind in ALL_KINDS]), tuple(self.hands), self.located


def selections(counts: Sequence[int], number: int, most: float = inf) -> Sequence[Hand] | None:
    """Return every way to take `number` cards from `counts`, or None if there are more than `most` ways.

    >>> selections((1, 0, 2), 2), selections((1, 1), 1, most=1)
    ([(0, 0, 2), (1, 0, 1)], None)
    """
    return _selections(tuple([min(count, number) for count in counts]), number, most)


@lru_cache(maxsize=256)
def _selections(counts: Hand, number: int, most: float) -> Sequence[Hand] | None:
    """Compute the result of `selections`.

    The caller has already limited each count to `number`, so more calls hit the cache.
    """
    found: list[tuple[Hand, int]] = [((), number)]
    rest = sum(counts)
    for count in counts:
        rest -= count
        found = [
            ((*taken, more), left - more)
            for taken, left in found
            for more in range(max(0, left - rest), min(count, left) + 1)
        ]
        if len(found) > most:
            return None
    return [taken for taken, _ in found]


def spread(pile: Sequence[int]) -> list[int]:
    """Return a list with the kind of each card in a pile.

    >>> spread((2, 0, 1))
    [0, 0, 2]
    """
    return [*chain.from_iterable(map(repeat, ALL_KINDS, pile))]


def take(cards: list[int], kinds: Collection[int], number: int, random: Random) -> list[int]:
    """Remove this number of random cards of these kinds from a list, and return them in random order."""
    if not number:
        return []
    places = [place for place, kind in enumerate(cards) if kind in kinds]
    chosen = [places.pop(int(random.random() * len(places))) for _ in range(number)]
    taken = [cards[place] for place in chosen]
    for place in sorted(chosen, reverse=True):
        del cards[place]
    return taken
