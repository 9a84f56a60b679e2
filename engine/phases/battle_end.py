"""The end of a battle: compares the rows, gives the region to the winner, and assigns the battle marker.

The edition's `aftermath` (`engine/editions`) lists the steps that follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..board import members
from ..events import BattleEnded, CardTurnedUp, MarkerTaken
from ..rules.marker import marker_claimants
from ..rules.order import clockwise_from
from ..rules.strength import strengths
from ..state import NOWHERE
from .ending import end_final_battle
from .sequence import run

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import Event
    from ..state import State


def end_battle(state: State, chance: Chance, cause: str) -> Iterator[Event]:
    """Turn up all face-down cards and compare the rows, then run the edition's aftermath or end the final battle."""
    for seat in clockwise_from(state.seats, state.marker):
        for card in state.hidden[seat]:
            yield CardTurnedUp(seat, card, newest=False)
    battle = _compare_strengths(state, cause)
    if state.fighters:
        yield battle
        yield from end_final_battle(state, chance, battle)
        return
    seats, reason = marker_claimants(state, battle)
    yield battle
    if len(seats) == 1:
        yield MarkerTaken(seats[0], reason, None)
    else:
        yield MarkerTaken(chance.pick(state.draws, seats), reason, state.draws)
    yield from run(state.edition.aftermath, state, chance)


def _compare_strengths(state: State, cause: str) -> BattleEnded:
    region = None if state.contested == NOWHERE else state.contested
    seats = tuple(members(state.fighters)) if state.fighters else tuple(range(state.seats))
    if cause == "bishop":
        return BattleEnded(region, cause, None, seats, None)
    totals = strengths(state.edition, state.rows, state.season)
    highest = max([totals[seat] for seat in seats])
    leaders = tuple([seat for seat in seats if totals[seat] == highest])
    return BattleEnded(region, cause, totals, leaders, leaders[0] if len(leaders) == 1 else None)
