"""Strategies for every command that a seat could send, valid or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from hypothesis import strategies as st

from engine import (
    ChooseRegion,
    Command,
    DeclineRegion,
    DiscardHand,
    DrawCards,
    KeepCards,
    KeepHand,
    Pass,
    PlayCard,
    Refusal,
    SeededChance,
    State,
    decide,
)
from engine.cards import KINDS, SCARECROW
from engine.italy import ITALY

REGIONS = range(len(ITALY.regions))
FIXED = SeededChance(bytes(32), [])
"""The default chance of these tests."""


def conceivable(seat: int, seats: int, hand: Sequence[int]) -> Iterator[Command]:
    """Yield every command of this seat that is complete or has one argument too many.

    The cards to keep come from the hand, plus one card that it may not contain.
    """
    yield from (Pass(seat), KeepHand(seat), DiscardHand(seat), DeclineRegion(seat))
    yield from (ChooseRegion(seat, region) for region in REGIONS)
    yield from (DrawCards(seat, number) for number in range(-1, 12))
    for card in range(KINDS):
        yield Pass(seat, card)
        yield PlayCard(seat, card)
        yield from (PlayCard(seat, card, favor=region) for region in REGIONS)
        for kind in range(KINDS):
            yield PlayCard(seat, card, turn_up=kind)
            yield from (PlayCard(seat, card, take=kind, take_from=owner) for owner in (None, *range(seats)))
    yield PlayCard(seat, SCARECROW, take_from=seat)
    for size in range(4):
        for kinds in combinations_with_replacement([kind for kind in range(KINDS) if hand[kind] or kind == 0], size):
            yield KeepCards(seat, tuple(kinds.count(kind) for kind in range(KINDS)))


def commands(seat: int, seats: int) -> st.SearchStrategy[Command]:
    """Return a strategy for any command of this seat, with any values in its fields."""
    kind, region = st.integers(0, KINDS - 1), st.sampled_from(REGIONS)
    pile = st.lists(kind, max_size=3).map(lambda kinds: tuple(kinds.count(one) for one in range(KINDS)))
    unnamed = st.none()
    return st.one_of(
        st.sampled_from([Pass(seat), KeepHand(seat), DiscardHand(seat), DeclineRegion(seat)]),
        kind.map(lambda card: Pass(seat, card)),
        region.map(lambda index: ChooseRegion(seat, index)),
        st.integers(-1, 11).map(lambda number: DrawCards(seat, number)),
        pile.map(lambda keep: KeepCards(seat, keep)),
        kind.map(lambda card: PlayCard(seat, card)),
        st.builds(
            PlayCard,
            st.just(seat),
            kind,
            take=unnamed | kind,
            take_from=unnamed | st.integers(0, seats - 1),
            favor=unnamed | region,
            turn_up=unnamed | kind,
        ),
    )


def accepted(state: State, command: Command, chance: SeededChance = FIXED) -> bool:
    """Return whether the engine accepts a command."""
    try:
        decide(state, command, chance)
    except Refusal:
        return False
    return True
