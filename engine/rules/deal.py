"""How many cards each seat is dealt, and how many it may draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .order import clockwise_from

if TYPE_CHECKING:
    from ..edition import Drawing
    from ..state import State


def hand_sizes(state: State) -> list[int]:
    """Return the number of cards dealt to each seat: the edition's hand and its bonus for each region held.

    Cards that a seat has kept count. A seat that has resigned is dealt none.
    """
    edition, gone = state.edition, state.gone
    return [
        0 if gone >> seat & 1 else edition.hand_size + edition.cards_a_region * held.bit_count() - sum(hand)
        for seat, (held, hand) in enumerate(zip(state.held, state.hands, strict=True))
    ]


def as_far_as_the_deck_goes(state: State, sizes: Sequence[int]) -> list[int]:
    """Return how many of these cards each seat gets, one at a time clockwise from the marker, until none is left."""
    left = sum(state.deck_of(0))
    if sum(sizes) <= left:
        return list(sizes)
    dealt = [0] * state.seats
    while left:
        for seat in clockwise_from(state.seats, state.marker):
            if left and dealt[seat] < sizes[seat]:
                dealt[seat] += 1
                left -= 1
    return dealt


def most_to_draw(state: State, seat: int, drawing: Drawing) -> int:
    """Return how many cards a seat may draw after a battle: up to its hand limit, and no more than there are."""
    room = drawing.limit + state.held[seat].bit_count() - sum(state.hands[seat])
    return max(0, min(drawing.most, room, sum(state.deck_of(seat)) + sum(state.discard)))
