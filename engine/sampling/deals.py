"""Deals: generates random positions that agree with one case, by dealing each pool's cards to its places."""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate, repeat
from operator import add
from typing import TYPE_CHECKING

from .pools import ALL_KINDS, NO_MERCENARIES, Pool, spread, take

if TYPE_CHECKING:
    from random import Random

    from ..cards import Pile
    from ..state import State
    from .cases import Case


class Deal:
    """Generates positions that agree with one case, all equally likely."""

    def __init__(self, case: Case, position: State) -> None:
        """Use this case, and a position that does not contain the cards of the case's pools."""
        self._position = position = position.copy()
        self._rows = [(seat, row) for seat, row in enumerate(case.rows) if row]
        self._pools: list[tuple[int, Pool, list[int], list[tuple[int, int]]]] = []
        for index, pool in enumerate(case.pools):
            deck = index if index < len(position.decks) else 0
            position.decks[deck] = [*map(add, position.decks[deck], pool.counts)]
            hands = [(seat, number) for seat, number in enumerate(pool.hands) if number]
            self._pools.append((deck, pool, spread(pool.counts), hands))

    def draw(self, random: Random) -> State:
        """Return a position with each pool's cards dealt to random places, bound cards (see `Pool.bound`) first."""
        state, below_one = self._position.copy(), random.random
        face_down: list[list[int]] = []
        for place, pool, spread_out, hands in self._pools:
            cards, deck = spread_out[:], state.decks[place]
            face_down.append(_deal_bound(pool, state, cards, deck, random) if pool.bound() else [])
            left = len(cards)
            for seat, number in hands:
                hand = state.hands[seat]
                for _ in repeat(None, number):
                    index = int(below_one() * left)
                    left -= 1
                    kind = cards[index]
                    cards[index] = cards[left]
                    hand[kind] += 1
                    deck[kind] -= 1
            if pool.buried:
                del cards[left:]
                _bury(take(cards, ALL_KINDS, pool.buried, random), state, deck)
        for seat, row in self._rows:
            state.hidden[seat] = tuple([face_down[index].pop() for index in row])
        return state


def _deal_bound(pool: Pool, state: State, cards: list[int], deck: Pile, random: Random) -> list[int]:
    """Remove the barren cards, and the cards for face-down places in rows, from a pool's cards.

    Put the barren cards into the discard, and return the cards for the rows in random order.
    """
    faces, face_down = sum(pool.rows), state.edition.face_down
    bounds = [*accumulate(pool.ways(face_down))]
    others = bisect(bounds, random.random() * bounds[-1], 0, len(bounds) - 1)
    drawn = take(cards, face_down & NO_MERCENARIES, others, random)
    drawn += take(cards, face_down - NO_MERCENARIES, faces - others, random)
    for kind in drawn:
        deck[kind] -= 1
    _bury(take(cards, NO_MERCENARIES, pool.barren, random), state, deck)
    return take(drawn, ALL_KINDS, faces, random)


def _bury(cards: list[int], state: State, deck: Pile) -> None:
    for kind in cards:
        state.discard[kind] += 1
        deck[kind] -= 1
