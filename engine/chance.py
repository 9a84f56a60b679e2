"""Chance: how the engine draws lots and deals cards.

Every function that may make a draw takes a `Chance`. The result of each draw is recorded in an event.

Construction 1, used for every stored game, derives draw k of a game as the 32 bytes

    HMAC-SHA256(key = seed || e_0 || e_1 || ..., message = k as 8 bytes)

where e_i encodes the entropy of seat i: one length byte, followed by the bytes of the entropy. If the seat gave no
entropy, e_i is a single zero byte. Each draw yields a stream of 32-bit words: block j of the stream is
SHA-256(draw || j as 4 bytes), split into eight words. To get a random number below n, skip all words at or above the
largest multiple of n that is at most 2**32, and take the next word modulo n. All integers are big-endian.

* To draw lots among m seats, draw one number below m, and pick the seat at that index.
* To deal hands, list the deck card by card in the order of `engine.cards.NAMES`. All cards of seat 0 are dealt first,
  then all cards of seat 1, and so on. To deal a card, draw a number i below the number of remaining cards, deal card i,
  and move the last remaining card to position i.
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
"""The number of the construction above, which is stored with every game."""


class Chance(Protocol):
    """A source of lots and deals. `draw` is the draw's number within the game, counted from 0."""

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Return a seat chosen by lot from these seats."""
        ...

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:
        """Return hands of these sizes, in seat order, dealt from a deck (counts by kind)."""
        ...


class SeededChance:
    """Repeatable draws, which depend only on the secret seed, the seats' entropy and the draw number.

    >>> chance = SeededChance(bytes(32), [b"", b""])
    >>> chance.pick(0, (0, 1, 2)) == chance.pick(0, (0, 1, 2))
    True
    """

    def __init__(self, seed: bytes, entropies: Iterable[bytes]) -> None:
        """Use `seed`, which is 32 secret bytes, and the seats' entropy in seat order, at most 255 bytes per seat."""
        self._key = seed + b"".join(bytes([len(entropy)]) + entropy for entropy in entropies)

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Return the seat picked by this draw."""
        return seats[_number_below(self._words(draw), len(seats))]

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:
        """Return the hands dealt by this draw."""
        words = self._words(draw)
        cards = _list_cards(deck)
        hands = []
        for size in sizes:
            hand = [0] * KINDS
            for _ in range(size):
                i = _number_below(words, len(cards))
                hand[cards[i]] += 1
                cards[i] = cards[-1]
                cards.pop()
            hands.append(tuple(hand))
        return tuple(hands)

    def bot_random(self, version: int) -> Random:
        """Return a secret source of random numbers for a bot's move at this version of the game.

        Every call with the same `version` returns a source that yields the same numbers.
        """
        return Random(self._bytes(b"bot" + version.to_bytes(8, "big")))

    def _bytes(self, message: bytes) -> bytes:
        return hmac.digest(self._key, message, "sha256")

    def _words(self, draw: int) -> Iterator[int]:
        key = self._bytes(draw.to_bytes(8, "big"))
        block = 0
        while True:
            stream = hashlib.sha256(key + block.to_bytes(4, "big")).digest()
            for start in range(0, 32, 4):
                yield int.from_bytes(stream[start : start + 4], "big")
            block += 1


class RandomChance:
    """Draws from a `random.Random`, for simulations and searches. The draw number is ignored."""

    def __init__(self, random: Random) -> None:
        """Use this source of random numbers."""
        self._random = random

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Return one of these seats at random; each is equally likely."""
        return self._random.choice(seats)

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:
        """Return random hands of these sizes from the deck."""
        cards = self._random.sample(_list_cards(deck), sum(sizes))
        hands = []
        start = 0
        for size in sizes:
            hand = [0] * KINDS
            for kind in cards[start : start + size]:
                hand[kind] += 1
            hands.append(tuple(hand))
            start += size
        return tuple(hands)


class WouldDraw(Exception):
    """A `Chance` refused to make a draw."""


class NoChance:
    """A `Chance` that raises `WouldDraw` instead of drawing."""

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Raise `WouldDraw`."""
        raise WouldDraw

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[Hand, ...]:
        """Raise `WouldDraw`."""
        raise WouldDraw


class OnlyLots(NoChance):
    """A `Chance` for searches: it draws lots from a `random.Random`, but raises `WouldDraw` instead of dealing."""

    def __init__(self, random: Random) -> None:
        """Use this source of random numbers."""
        self._random = random

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Return one of these seats at random; each is equally likely."""
        return seats[int(self._random.random() * len(seats))]


def commitment(seed: bytes) -> str:
    """Return the commitment to a seed, which is published before the game: the seed's SHA-256 in hexadecimal.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(seed).hexdigest()


def _list_cards(deck: Sequence[int]) -> list[int]:
    """List the cards in a deck (counts by kind) as kinds, one item per card."""
    return list(chain.from_iterable(map(repeat, range(KINDS), deck)))


def _number_below(words: Iterator[int], n: int) -> int:
    """Return a random number below n, computed from the next words.

    Words at or above the largest multiple of n that is at most 2**32 are skipped, so that each number is equally
    likely.
    """
    limit = (1 << 32) - (1 << 32) % n
    while True:
        word = next(words)
        if word < limit:
            return word % n
