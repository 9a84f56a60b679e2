"""Contests: which regions may be contested, and whose passes are final in a battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..state import NOWHERE

if TYPE_CHECKING:
    from ..board import Regions
    from ..state import State


def empty_regions(state: State) -> Regions:
    """Return the regions that are not contested now and have neither a control marker nor the favor marker."""
    regions = _all_regions(state) & ~state.owned_regions()
    for region in (state.favor, state.contested):
        if region != NOWHERE:
            regions &= ~(1 << region)
    return regions


def any_region(state: State) -> Regions:
    """Return all regions of the board: owned regions may be attacked, and even their owners may choose them."""
    return _all_regions(state)


def regions_not_owned_by_holder(state: State) -> Regions:
    """Return the regions that have no favor marker and are not owned by the holder of the battle marker."""
    regions = _all_regions(state) & ~state.held[state.marker]
    return regions if state.favor == NOWHERE else regions & ~(1 << state.favor)


def no_region(state: State) -> Regions:
    """Return the empty set, for editions in which battles are not fought for regions."""
    return 0


def every_pass_is_final(state: State, seat: int) -> bool:
    """Return True, because a seat that has passed cannot lay more cards in this battle."""
    return True


def owner_may_wait_until_first_card(state: State, seat: int) -> bool:
    """Return whether this seat's pass is final.

    All passes are final, except those of the owner of the contested region. The owner's passes are not final until the
    owner has laid a card in this battle. However, if the passes of all other seats are final, the owner's pass is final
    too, because the battle then ends.
    """
    if state.contested == NOWHERE or not state.held[seat] >> state.contested & 1 or state.laid >> seat & 1:
        return True
    return state.passed | 1 << seat == (1 << state.seats) - 1


def _all_regions(state: State) -> Regions:
    assert state.edition.board, "only an edition with a board has contested regions"
    return state.edition.board.all_regions
