"""Turn order is clockwise: by ascending seat number, with seat 0 following the last seat."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..state import State


@cache
def clockwise_from(seats: int, first: int) -> tuple[int, ...]:
    """Return all seats in turn order, starting with `first`.

    >>> clockwise_from(4, 2)
    (2, 3, 0, 1)
    """
    return tuple((first + step) % seats for step in range(seats))


def next_to_play(state: State, after: int) -> int | None:
    """Return the next seat, clockwise from `after`, whose pass is not final, or None if all passes are final.

    `after` itself is checked last.
    """
    for seat in clockwise_from(state.seats, after + 1):
        if not state.passed >> seat & 1:
            return seat
    return None


def next_remaining_seat(state: State, after: int) -> int:
    """Return the next seat, clockwise from `after`, that has not resigned."""
    return next(seat for seat in clockwise_from(state.seats, after + 1) if not state.gone >> seat & 1)


def seats_with_cards(state: State) -> list[int]:
    """Return the seats that hold cards, in turn order from the holder of the battle marker."""
    return [seat for seat in clockwise_from(state.seats, state.marker) if any(state.hands[seat])]
