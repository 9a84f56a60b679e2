"""Resigning: a seat leaves the game for good, and the other seats continue.

Resigning is a house rule in all editions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..board import members
from ..events import HandDiscarded, MarkerTaken, SeatResigned
from ..phase_names import BATTLE
from ..rules.order import next_remaining_seat
from .ending import end_fight

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import Event
    from ..state import State


def resign_seat(
    state: State, seat: int, chance: Chance, resume: Callable[[State, Chance], Iterable[Event]]
) -> Iterator[Event]:
    """Discard the seat's hand, and resume the phase without the seat.

    If all seats but one have resigned, or only one fighter is left in a final battle, end the game instead of resuming
    the phase.

    If the seat holds the battle marker, the next seat that has not resigned takes the marker. During a battle, the
    marker does not move, because the claims at the end of the battle depend on its holder.
    """
    hand = tuple(state.hands[seat])
    yield SeatResigned(seat)
    if any(hand):
        yield HandDiscarded(seat, hand, forced=True)
    rivals = tuple(members(state.fighters)) if state.fighters else tuple(state.remaining_seats())
    if len(rivals) == 1:
        yield from end_fight(state, chance, rivals, "resignation")
        return
    if seat == state.marker and state.phase != BATTLE:
        yield MarkerTaken(next_remaining_seat(state, seat), "left", None)
    yield from resume(state, chance)
