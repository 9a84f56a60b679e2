"""Chance: a second implementation of the construction, written only from the engine's documentation."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from engine import CONSTRUCTION, NEWEST, RandomChance, SeededChance, commitment, decide, legal_commands, replay, start
from engine.cards import KINDS
from engine.events import HandsDealt, MarkerTaken

from .table import only

SEED = bytes(range(32))
ENTROPIES = [b"", b"salt", b"", bytes(255)]
DECK = NEWEST["zman-2018"].deck


class Verifier:
    """Construction 1, implemented from its description, as a player might do to verify a finished game."""

    def __init__(self, seed: bytes, entropies: Sequence[bytes]) -> None:
        """Join the seed and each seat's entropy; one byte before each entropy gives its length."""
        self.key = bytearray(seed)
        for entropy in entropies:
            self.key += len(entropy).to_bytes(1, "big") + entropy

    def words(self, draw: int) -> Iterator[int]:
        """Yield the 32-bit words of a draw."""
        mac = hmac.new(bytes(self.key), draw.to_bytes(8, "big"), hashlib.sha256).digest()
        for block in range(10**6):
            stream = hashlib.sha256(mac + block.to_bytes(4, "big")).digest()
            yield from (int.from_bytes(stream[4 * i : 4 * i + 4], "big") for i in range(8))

    @staticmethod
    def below(n: int, words: Iterator[int]) -> int:
        """Return a number below n: the first word that is below the largest multiple of n within 32 bits, modulo n."""
        return next(word for word in words if word < 2**32 // n * n) % n

    def pick(self, draw: int, seats: Sequence[int]) -> int:
        """Return the seat with the drawn index."""
        return seats[self.below(len(seats), self.words(draw))]

    def deal(self, draw: int, deck: Sequence[int], sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Deal from the listed deck, filling each gap with the last card."""
        words = self.words(draw)
        pile = [kind for kind in range(KINDS) for _ in range(deck[kind])]
        hands = []
        for size in sizes:
            hand = []
            for _ in range(size):
                i = self.below(len(pile), words)
                hand.append(pile[i])
                pile[i] = pile[-1]
                del pile[-1]
            hands.append(tuple(hand.count(kind) for kind in range(KINDS)))
        return tuple(hands)


def test_the_construction_has_a_number() -> None:
    """Another construction would have another number. The number is stored with every game."""
    assert CONSTRUCTION == 1


@pytest.mark.parametrize("entropies", [[], [b""], [b"", b""], ENTROPIES], ids=["none", "one", "two", "four"])
def test_the_construction_is_as_documented(entropies: list[bytes]) -> None:
    """Lots and deals agree with the second implementation for any draw number."""
    chance, verifier = SeededChance(SEED, entropies), Verifier(SEED, entropies)
    for draw in (0, 1, 2, 255, 256, 2**32, 2**64 - 1):
        for seats in ((0, 1), (2, 0, 1), (4,), range(6)):
            assert chance.pick(draw, seats) == verifier.pick(draw, seats)
        for sizes in ([10] * 3, [13, 11, 10, 10, 10, 10], [110], [0, 1]):
            assert chance.deal(draw, DECK, sizes) == verifier.deal(draw, DECK, sizes)


def test_a_word_that_would_make_a_number_likelier_is_skipped() -> None:
    """With three billion seats many words are too large, but the draws still agree."""
    many = range(3_000_000_000)
    chance, verifier = SeededChance(SEED, []), Verifier(SEED, [])
    skipped = [draw for draw in range(50) if next(verifier.words(draw)) >= len(many)]
    assert skipped
    for draw in range(50):
        assert chance.pick(draw, many) == verifier.pick(draw, many)


def test_a_whole_game_can_be_verified() -> None:
    """The second implementation repeats every lot and deal of a played game from the seed and the entropies."""
    verifier = Verifier(SEED, [b"a", b"b", b"c"])
    chance = SeededChance(SEED, [b"a", b"b", b"c"])
    events = start("zman-2018", 3, chance)
    assert only(MarkerTaken, events).seat == verifier.pick(0, (0, 1, 2))
    assert only(HandsDealt, events).hands == verifier.deal(1, DECK, [10, 10, 10])
    state, random, drawn = replay(events), Random(3), 2
    while commands := legal_commands(state):
        chain = decide(state, random.choice(commands), chance)
        events += chain
        state = replay(events)
        for event in chain:
            if isinstance(event, HandsDealt):
                sizes = [sum(hand) for hand in event.hands if not isinstance(hand, int)]
                deck = [a + b for a, b in zip(state.decks[0], map(sum, zip(*event.hands, strict=True)), strict=True)]
                assert (event.draw, event.hands) == (drawn, verifier.deal(drawn, deck, sizes))
                drawn += 1
            elif isinstance(event, MarkerTaken) and event.draw is not None:
                assert event.draw == drawn
                drawn += 1
    assert drawn > 2


def test_the_same_draw_is_the_same_again_and_another_is_another() -> None:
    """Repeating a decision gives the same draw, and so does another process with the same secret."""
    one, other = SeededChance(SEED, ENTROPIES), SeededChance(SEED, ENTROPIES)
    first = one.deal(3, DECK, [10, 10])
    assert one.deal(3, DECK, [10, 10]) == first == other.deal(3, DECK, [10, 10])
    assert one.deal(4, DECK, [10, 10]) != first
    assert SeededChance(SEED, []).deal(3, DECK, [10, 10]) != first
    assert SeededChance(SEED[::-1], ENTROPIES).deal(3, DECK, [10, 10]) != first


def test_entropy_of_one_seat_is_not_that_of_another() -> None:
    """The key contains the lengths, so two different lists of entropies for one number of seats give different keys."""
    deals = {
        SeededChance(SEED, entropies).deal(0, DECK, [40])
        for entropies in ([b"ab", b"", b""], [b"a", b"b", b""], [b"", b"ab", b""], [b"", b"", b"ab"], [b"", b"a", b"b"])
    }
    assert len(deals) == 5


def test_entropy_longer_than_its_length_byte_is_refused() -> None:
    """The limit is 255 bytes per seat."""
    with pytest.raises(ValueError, match="range"):
        SeededChance(SEED, [bytes(256)])


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_lot_favours_nobody(seats: int) -> None:
    """In 6000 lots the number that each seat wins differs from its share by less than 300."""
    chance = SeededChance(SEED, [])
    counts = Counter(chance.pick(draw, range(seats)) for draw in range(6000))
    assert set(counts) == set(range(seats))
    assert all(abs(count - 6000 / seats) < 300 for count in counts.values())


def test_a_deal_favours_no_kind_and_no_seat() -> None:
    """In 1500 deals each kind comes as often to the first seat as to the last, in proportion to its printed count."""
    chance = SeededChance(SEED, [])
    first, last = [0] * KINDS, [0] * KINDS
    for draw in range(1500):
        hands = chance.deal(draw, DECK, [10, 10, 10])
        first = [a + b for a, b in zip(first, hands[0], strict=True)]
        last = [a + b for a, b in zip(last, hands[2], strict=True)]
    for kind in range(KINDS):
        expected = 1500 * 10 * DECK[kind] / 110
        assert abs(first[kind] - expected) < 0.15 * expected + 60
        assert abs(last[kind] - expected) < 0.15 * expected + 60


@pytest.mark.parametrize("chance", [SeededChance(SEED, []), RandomChance(Random(5))], ids=["seeded", "random"])
def test_a_deal_is_as_large_as_asked_and_taken_from_the_deck(chance: SeededChance | RandomChance) -> None:
    """The deal can use the last card of the deck, and never more cards than there are."""
    for sizes in ([10, 11, 12], [110], [0, 0], [55, 55]):
        hands = chance.deal(0, DECK, sizes)
        assert [sum(hand) for hand in hands] == sizes
        dealt = [sum(counts) for counts in zip(*hands, strict=True)]
        assert all(count <= held for count, held in zip(dealt, DECK, strict=True))
    assert tuple(chance.deal(0, DECK, [110])[0]) == DECK


@pytest.mark.parametrize("chance", [SeededChance(SEED, []), RandomChance(Random(5))], ids=["seeded", "random"])
def test_nothing_is_dealt_from_an_empty_deck(chance: SeededChance | RandomChance) -> None:
    """A final battle deals no cards if the hands hold all of them."""
    assert chance.deal(0, [0] * KINDS, [0, 0]) == ((0,) * KINDS, (0,) * KINDS)


def test_random_chance_follows_its_source() -> None:
    """Simulations with the same source are the same."""
    one, other = RandomChance(Random(1)), RandomChance(Random(1))
    assert [one.pick(0, (4, 5, 6)) for _ in range(20)] == [other.pick(0, (4, 5, 6)) for _ in range(20)]
    assert one.deal(0, DECK, [10, 10]) == other.deal(0, DECK, [10, 10])


def test_a_bots_chance_is_its_own() -> None:
    """It depends on the version, and cannot be derived from the game's draws."""
    chance = SeededChance(SEED, ENTROPIES)
    assert chance.bot_random(7).random() == SeededChance(SEED, ENTROPIES).bot_random(7).random()
    assert chance.bot_random(7).random() != chance.bot_random(8).random()
    assert chance.bot_random(7).random() != SeededChance(SEED[::-1], ENTROPIES).bot_random(7).random()


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    """It is published before the game and fixes the seed without revealing it."""
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    assert commitment(SEED) != commitment(SEED[::-1])
