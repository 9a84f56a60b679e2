"""Resigning: a seat leaves the game for good, and the others play on. A house rule, the same in every edition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..board import members
from ..events import HandDiscarded, MarkerTaken, SeatResigned
from ..phase_names import BATTLE
from ..rules.order import next_still_there
from .ending import end_fight

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import Event
    from ..state import State


def a_seat_leaves(
    state: State, seat: int, chance: Chance, go_on: Callable[[State, Chance], Iterable[Event]]
) -> Iterator[Event]:
    """Its hand is discarded, and the phase goes on without it; the last seat, or the last fighter, has won.

    A holder of the battle marker gives it to the left, but not during a battle, at whose end it matters who held it.
    """
    hand = tuple(state.hands[seat])
    yield SeatResigned(seat)
    if any(hand):
        yield HandDiscarded(seat, hand, forced=True)
    rivals = tuple(members(state.fighters)) if state.fighters else tuple(state.still_there())
    if len(rivals) == 1:
        yield from end_fight(state, chance, rivals, "resignation")
        return
    if seat == state.marker and state.phase != BATTLE:
        yield MarkerTaken(next_still_there(state, seat), "left", None)
    yield from go_on(state, chance)
