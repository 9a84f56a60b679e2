"""How many cards each seat is dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..state import State


def hand_sizes(state: State) -> list[int]:
    """Return the number of cards for each seat: the edition's hand, and its bonus for each region held."""
    edition = state.edition
    return [edition.hand_size + edition.cards_a_region * held.bit_count() for held in state.held]
