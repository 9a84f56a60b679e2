"""Which regions may be fought over, and whose pass is final there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..state import NOWHERE

if TYPE_CHECKING:
    from ..board import Regions
    from ..state import State


def empty_regions(state: State) -> Regions:
    """Return the regions without any marker: no control marker, no favor marker, no battle going on."""
    regions = _everywhere(state) & ~state.taken()
    for occupied in (state.favor, state.contested):
        if occupied != NOWHERE:
            regions &= ~(1 << occupied)
    return regions


def any_region(state: State) -> Regions:
    """Return every region of the board: owned ones may be attacked, also by their owner's own choice."""
    return _everywhere(state)


def regions_of_nobody_or_of_others(state: State) -> Regions:
    """Return the regions that the marker's holder does not own and that bear no favor marker."""
    regions = _everywhere(state) & ~state.held[state.marker]
    return regions if state.favor == NOWHERE else regions & ~(1 << state.favor)


def no_region(state: State) -> Regions:
    """Return no region: battles are fought for none."""
    return 0


def every_pass_is_final(state: State, seat: int) -> bool:
    """Whoever passes is out of this battle."""
    return True


def the_owner_may_pass_until_its_first_card(state: State, seat: int) -> bool:
    """The owner of the contested region may pass and come back, until it has laid a card.

    Its pass is final all the same once every other seat has finally passed, because the battle is then over.
    """
    if state.contested == NOWHERE or not state.held[seat] >> state.contested & 1 or state.laid >> seat & 1:
        return True
    return state.passed | 1 << seat == (1 << state.seats) - 1


def _everywhere(state: State) -> Regions:
    assert state.edition.board, "where regions are contested there is a board"
    return state.edition.board.everywhere
