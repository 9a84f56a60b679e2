"""Cases: the possibilities that a seat cannot tell apart, each with a weight.

Each event leads from a case to no, one or more cases. A method that returns no case does not change its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, product
from math import ceil, comb, prod
from typing import TYPE_CHECKING

from ..cards import KINDS
from .pools import Held, Pool, selections

if TYPE_CHECKING:
    from random import Random

    from ..cards import Pile


class Case:
    """One possibility of where the cards are that a seat does not see, and its weight.

    The first items of `pools` are the pools of the decks. `rows` are the cards that other seats have face down, oldest
    first: for each card, the index of its pool.
    """

    __slots__ = ("pools", "rows", "weight")

    def __init__(self, weight: float, pools: list[Pool], rows: list[tuple[int, ...]]) -> None:
        self.weight, self.pools, self.rows = weight, pools, rows

    def copy(self) -> Case:
        """Return an independent copy."""
        return Case(self.weight, [pool.copy() for pool in self.pools], self.rows[:])

    def key(self) -> tuple[object, ...]:
        """Return a value that is the same for cases that differ only in their weights."""
        return (*self.rows, *[pool.key() for pool in self.pools])

    def copies(self, number: int) -> list[Case]:
        """Return this number of equal cases; the last one is this case."""
        return [*[self.copy() for _ in range(number - 1)], self] if number else []

    # What may follow

    def drawn(self, deck: int, kind: int) -> Sequence[Case]:
        """Return the case after the seat itself has drawn a card of this kind."""
        pool = self.pools[deck]
        if not pool.counts[kind]:
            return ()
        self.weight *= pool.reveal(kind)
        return (self,)

    def laid(self, seat: int, kind: int) -> Sequence[Case]:
        """Return the cases after another seat has laid a card of this kind: a located one, if it has one."""
        places = [index for index, pool in enumerate(self.pools) if pool.hands[seat] and pool.counts[kind]]
        for index in places:
            pool = self.pools[index]
            if pool.located:
                pool.hands[seat] -= 1
                pool.reveal(kind)
                return (self,)
        cases = self.copies(len(places))
        for case, index in zip(cases, places, strict=True):
            pool = case.pools[index]
            case.weight *= pool.hands[seat] * pool.reveal(kind)
            pool.hands[seat] -= 1
        return cases

    def laid_face_down(self, seat: int, kinds: Iterable[int]) -> Sequence[Case]:
        """Return the cases after another seat has laid a card of one of these kinds face down."""
        places = [
            index
            for index, pool in enumerate(self.pools)
            if pool.hands[seat] and any(map(pool.counts.__getitem__, kinds))
        ]
        cases = self.copies(len(places))
        for case, index in zip(cases, places, strict=True):
            pool = case.pools[index]
            case.weight *= pool.hands[seat]
            pool.hands[seat] -= 1
            pool.rows[seat] += 1
            case.rows[seat] += (index,)
        return cases

    def turned_up(self, seat: int, kind: int) -> Sequence[Case]:
        """Return the cases after a face-down card of another seat, either one of two, proved to be of this kind."""
        row = self.rows[seat]
        places = [index for index in dict.fromkeys(row) if self.pools[index].counts[kind]]
        cases = self.copies(len(places))
        for case, index in zip(cases, places, strict=True):
            pool, place = case.pools[index], row.index(index)
            case.weight *= row.count(index) * pool.reveal(kind)
            pool.rows[seat] -= 1
            case.rows[seat] = row[:place] + row[place + 1 :]
        return cases

    def taken_back(self, seat: int, kind: int) -> None:
        """Put a card that everybody sees into the hand of another seat."""
        for pool in self.pools:
            if pool.located and (pool.counts[kind] or not pool.total):
                break
        else:
            pool = Pool([0] * KINDS, [0] * len(self.rows), located=True)
            self.pools.append(pool)
        pool.counts[kind] += 1
        pool.total += 1
        pool.hands[seat] += 1

    def hand_discarded(self, seat: int, *, barren: bool) -> None:
        """Bury the hand of another seat; it is `barren` if it had no mercenary."""
        for pool in self.pools:
            if barren:
                pool.barren += pool.hands[seat]
            else:
                pool.buried += pool.hands[seat]
            pool.hands[seat] = 0

    def some_discarded(self, seat: int, number: int) -> Iterator[Case]:
        """Yield the cases after another seat has discarded some cards of its choice."""
        numbers = [pool.hands[seat] for pool in self.pools]
        for discarded in selections(numbers, number) or ():
            case = self.copy()
            case.weight *= prod(map(comb, numbers, discarded))
            for pool, count in zip(case.pools, discarded, strict=True):
                pool.hands[seat] -= count
                pool.buried += count
            yield case

    # What is known

    def likelihood(self, face_down: frozenset[int]) -> float:
        """Return the probability that the cards that are bound to certain kinds are of these kinds."""
        return prod([pool.likelihood(face_down) for pool in self.pools])

    def held(self, most: int, few: int, random: Random) -> tuple[list[tuple[float, tuple[Held, ...]]], bool]:
        """Return which cards may be in hands, each possibility after its weight, and whether these are all.

        They are all if there are at most `most`; otherwise, `few` that are chosen at random.
        """
        pools = [pool for pool in self.pools if any(pool.hands)]
        options = [pool.held(most) for pool in pools]
        every = [option for option in options if option is not None]
        if len(every) < len(options) or prod(map(len, every)) > most:
            return [
                (self.weight / few, tuple([pool.held_at_random(random) for pool in pools])) for _ in range(few)
            ], False
        return [
            (self.weight * prod([chance for chance, _ in choice]), tuple([held for _, held in choice]))
            for choice in product(*every)
        ], True

    def forgetful(self, unseen: Pile) -> Case:
        """Return the case in which all unseen cards form one pool, with as many cards at each place."""
        pool = Pool(unseen[:], [sum(numbers) for numbers in zip(*[pool.hands for pool in self.pools], strict=True)])
        pool.rows = [*map(len, self.rows)]
        pool.buried = sum([other.buried for other in self.pools])
        pool.barren = sum([other.barren for other in self.pools])
        return Case(1.0, [pool], [(0,) * len(row) for row in self.rows])


def after_shuffle(weight: float, held: Sequence[Held], unseen: Pile, seats: int) -> Case:
    """Return the case after a shuffle of all unseen cards that are not in hands."""
    deck = [count - sum(counts) for count, *counts in zip(unseen, *[cards for cards, _, _ in held], strict=True)]
    kept = [Pool(list(cards), list(numbers), located=located) for cards, numbers, located in held]
    return Case(weight, [Pool(deck, [0] * seats), *kept], [()] * seats)


def merged(cases: Iterable[Case]) -> list[Case]:
    """Return cases of which no two are equal, with the sums of the weights."""
    different: dict[tuple[object, ...], Case] = {}
    for case in cases:
        same = different.setdefault(case.key(), case)
        if same is not case:
            same.weight += case.weight
    return [*different.values()]


def thinned(cases: Sequence[Case], most: int, offset: float) -> list[Case]:
    """Return at most this number of cases, chosen by an offset from 0 to 1. Weights add up to 1, before and after.

    The mean of the weight of a case over all offsets, 0 for those that leave it out, is its weight.
    """
    kept, bound = [], offset
    for case, end in zip(cases, accumulate(case.weight * most for case in cases), strict=True):
        number = max(0, ceil(end - bound))
        if number:
            case.weight = number / most
            kept.append(case)
            bound += number
    return kept
