"""How many cards each seat is dealt, and how many cards it may draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .order import clockwise_from

if TYPE_CHECKING:
    from ..edition import Drawing
    from ..state import State


def deal_sizes(state: State) -> list[int]:
    """Return how many cards to deal to each seat.

    Each hand is filled to the edition's hand size plus `cards_a_region` cards for each region that the seat holds. A
    seat that has resigned gets no cards.
    """
    edition, gone = state.edition, state.gone
    return [
        0 if gone >> seat & 1 else edition.hand_size + edition.cards_a_region * held.bit_count() - sum(hand)
        for seat, (held, hand) in enumerate(zip(state.held, state.hands, strict=True))
    ]


def limit_to_deck(state: State, sizes: Sequence[int]) -> list[int]:
    """Return how many cards each seat gets: the number in `sizes`, or fewer if the deck runs out.

    The cards are dealt one at a time, clockwise from the holder of the battle marker.
    """
    remaining = sum(state.deck_of(0))
    if sum(sizes) <= remaining:
        return list(sizes)
    counts = [0] * state.seats
    while remaining:
        for seat in clockwise_from(state.seats, state.marker):
            if remaining and counts[seat] < sizes[seat]:
                counts[seat] += 1
                remaining -= 1
    return counts


def max_draw_count(state: State, seat: int, drawing: Drawing) -> int:
    """Return how many cards a seat may draw after a battle.

    The number is limited by `drawing`, and by the total number of cards in the deck and the discard.
    """
    room = drawing.limit + state.held[seat].bit_count() - sum(state.hands[seat])
    return max(0, min(drawing.most, room, sum(state.deck_of(seat)) + sum(state.discard)))
