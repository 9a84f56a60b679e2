"""How the engine draws. Chance is an argument of every decision; its result stands in the event.

Construction 1, used for every stored game: draw k of a game is the 32 bytes

    HMAC-SHA256(key = seed || e_0 || e_1 || ..., message = k as 8 bytes)

where e_i is the entropy that seat i gave, as one byte of length and then its bytes (a lone zero byte for none). A draw
yields 32-bit words: block j of its stream is SHA-256(draw || j as 4 bytes), cut into eight words. A number below n is
the first word below the largest multiple of n that 32 bits hold, modulo n. All integers are big-endian.

* A lot among m seats takes the seat with that index, in the order of the list.
* A deal lists the deck card by card in the order of `engine.cards.NAMES` and deals to seat 0, then to seat 1 and so
  on: for each card it draws i below the number of cards left, deals card i, and moves the last card left into its
  place.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from random import Random
from typing import Protocol

from .cards import KINDS, Hand

CONSTRUCTION = 1
"""Number of the construction above, stored with every game."""


class Chance(Protocol):
    """Where lots and deals come from; `draw` numbers the chance events of one game from 0."""

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Return one of these seats."""
        ...

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:
        """Return a hand of each size, taken from the deck (counts by kind)."""
        ...


class SeededChance:
    """Draws fixed by a game's secret seed and the entropy of its seats: a repeated decision draws the same.

    >>> chance = SeededChance(bytes(32), [b"", b""])
    >>> chance.pick(0, (0, 1, 2)) == chance.pick(0, (0, 1, 2))
    True
    """

    def __init__(self, seed: bytes, entropies: Iterable[bytes]) -> None:
        """Take the 32 secret bytes and the entropy of every seat in order, at most 255 bytes each."""
        self._key = seed + b"".join(bytes([len(entropy)]) + entropy for entropy in entropies)

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Return the seat that this draw's lot falls on."""
        return seats[_below(self._words(draw), len(seats))]

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:
        """Return this draw's deal."""
        words = self._words(draw)
        left = _listed(deck)
        hands = []
        for size in sizes:
            hand = [0] * KINDS
            for _ in range(size):
                i = _below(words, len(left))
                hand[left[i]] += 1
                left[i] = left[-1]
                left.pop()
            hands.append(tuple(hand))
        return tuple(hands)

    def bot_random(self, version: int) -> Random:
        """Return the random numbers of a bot that moves at this version: secret, and the same when asked again."""
        return Random(self._bytes(b"bot" + version.to_bytes(8, "big")))

    def _bytes(self, message: bytes) -> bytes:
        return hmac.digest(self._key, message, "sha256")

    def _words(self, draw: int) -> Iterator[int]:
        drawn = self._bytes(draw.to_bytes(8, "big"))
        block = 0
        while True:
            stream = hashlib.sha256(drawn + block.to_bytes(4, "big")).digest()
            for start in range(0, 32, 4):
                yield int.from_bytes(stream[start : start + 4], "big")
            block += 1


class RandomChance:
    """Draws from a `random.Random`, for simulations and searches."""

    def __init__(self, random: Random) -> None:
        """Take the source of random numbers."""
        self._random = random

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Return a random seat; the draw's number does not matter."""
        return self._random.choice(seats)

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:
        """Return random hands; the draw's number does not matter."""
        cards = self._random.sample(_listed(deck), sum(sizes))
        hands = []
        start = 0
        for size in sizes:
            hand = [0] * KINDS
            for kind in cards[start : start + size]:
                hand[kind] += 1
            hands.append(tuple(hand))
            start += size
        return tuple(hands)


def commitment(seed: bytes) -> str:
    """Return what is published of a seed before the game: its SHA-256, in hexadecimal.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(seed).hexdigest()


def _listed(deck: Sequence[int]) -> list[int]:
    """Return the kind of every card of a deck, one entry a card."""
    return list(chain.from_iterable(map(repeat, range(KINDS), deck)))


def _below(words: Iterator[int], n: int) -> int:
    limit = (1 << 32) - (1 << 32) % n
    while True:
        word = next(words)
        if word < limit:
            return word % n
