"""Cases: the ways in which the unseen cards may be distributed, as far as a seat can tell, each with a weight.

An event replaces a case with zero or more cases. If the result of a method is empty, the case on which the method was
called does not change.
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
    """One possible distribution of the unseen cards, and its weight.

    The first items of `pools` are the pools of the decks. `rows` lists, for each other seat, the pool index of each of
    its face-down cards, oldest card first.
    """

    __slots__ = ("pools", "rows", "weight")

    def __init__(self, weight: float, pools: list[Pool], rows: list[tuple[int, ...]]) -> None:
        self.weight, self.pools, self.rows = weight, pools, rows

    def copy(self) -> Case:
        """Return an independent copy."""
        return Case(self.weight, [pool.copy() for pool in self.pools], self.rows[:])

    def key(self) -> tuple[object, ...]:
        """Return a value that is the same for all cases that differ only in their weights."""
        return (*self.rows, *[pool.key() for pool in self.pools])

    def copies(self, number: int) -> list[Case]:
        """Return a list of `number` equal cases. The last case in the list is this case, and all others are copies."""
        return [*[self.copy() for _ in range(number - 1)], self] if number else []

    # Cases after an event

    def drawn(self, deck: int, kind: int) -> Sequence[Case]:
        """Return the case after the seat itself has drawn a card of this kind."""
        pool = self.pools[deck]
        if not pool.counts[kind]:
            return ()
        self.weight *= pool.reveal(kind)
        return (self,)

    def laid(self, seat: int, kind: int) -> Sequence[Case]:
        """Return the cases after another seat has laid a card of this kind (a located card if the seat has one)."""
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
        """Return the cases after another seat has turned up a card of this kind.

        If the seat has several face-down cards, any of them may be the one that was turned up.
        """
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
        """Put a located card of this kind into another seat's hand."""
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
        """Move another seat's hand to the discard. A hand is `barren` if it cannot contain a mercenary."""
        for pool in self.pools:
            if barren:
                pool.barren += pool.hands[seat]
            else:
                pool.buried += pool.hands[seat]
            pool.hands[seat] = 0

    def some_discarded(self, seat: int, number: int) -> Iterator[Case]:
        """Yield the possible cases after another seat has discarded cards of its choice."""
        numbers = [pool.hands[seat] for pool in self.pools]
        for discarded in selections(numbers, number) or ():
            case = self.copy()
            case.weight *= prod(map(comb, numbers, discarded))
            for pool, count in zip(case.pools, discarded, strict=True):
                pool.hands[seat] -= count
                pool.buried += count
            yield case

    # Probabilities and possible hands

    def likelihood(self, face_down: frozenset[int]) -> float:
        """Return the probability that every bound card (see `Pool.bound`) has a possible kind."""
        return prod([pool.likelihood(face_down) for pool in self.pools])

    def held(self, most: int, few: int, random: Random) -> tuple[list[tuple[float, tuple[Held, ...]]], bool]:
        """List the possible contents of the hands, each with a weight, and return whether the list is complete.

        The list is complete if there are no more than `most` possibilities. Otherwise, the list has `few`
        possibilities, chosen at random.
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
        """Return the case in which all unseen cards form one pool.

        The number of unseen cards in each place does not change.
        """
        pool = Pool(unseen[:], [sum(numbers) for numbers in zip(*[pool.hands for pool in self.pools], strict=True)])
        pool.rows = [*map(len, self.rows)]
        pool.buried = sum([other.buried for other in self.pools])
        pool.barren = sum([other.barren for other in self.pools])
        return Case(1.0, [pool], [(0,) * len(row) for row in self.rows])


def after_shuffle(weight: float, held: Sequence[Held], unseen: Pile, seats: int) -> Case:
    """Return the case after all unseen cards that are not in hands have been shuffled."""
    deck = [count - sum(counts) for count, *counts in zip(unseen, *[cards for cards, _, _ in held], strict=True)]
    pools = [Pool(list(cards), list(numbers), located=located) for cards, numbers, located in held]
    return Case(weight, [Pool(deck, [0] * seats), *pools], [()] * seats)


def merged(cases: Iterable[Case]) -> list[Case]:
    """Merge equal cases into one, whose weight is the sum of their weights."""
    different: dict[tuple[object, ...], Case] = {}
    for case in cases:
        same = different.setdefault(case.key(), case)
        if same is not case:
            same.weight += case.weight
    return [*different.values()]


def thinned(cases: Sequence[Case], most: int, offset: float) -> list[Case]:
    """Return at most this number of cases, chosen by an offset from 0 to 1.

    The weights must add up to 1. The weights of the result also add up to 1. A case that is left out counts as having
    weight 0. Averaged over all offsets, each case's weight stays the same.
    """
    remaining, bound = [], offset
    for case, end in zip(cases, accumulate(case.weight * most for case in cases), strict=True):
        number = max(0, ceil(end - bound))
        if number:
            case.weight = number / most
            remaining.append(case)
            bound += number
    return remaining
