"""Who has won, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..board import largest_group

if TYPE_CHECKING:
    from ..state import State


def reached_goals(state: State, seat: int) -> tuple[str, ...]:
    """Return the goals that a seat has reached, as reasons of `game-ended`; several at once are all named."""
    goal = state.edition.goals[state.seats]
    held = state.held[seat]
    reasons = []
    if held.bit_count() >= goal.adjacent and largest_group(state.edition.board, held) >= goal.adjacent:
        reasons.append("adjacent-regions")
    if goal.total is not None and held.bit_count() >= goal.total:
        reasons.append("total-regions")
    return tuple(reasons)


def seats_with_most_regions(state: State) -> tuple[int, ...]:
    """Return the seats that control the most regions; all of them where nobody controls any."""
    counts = [held.bit_count() for held in state.held]
    return tuple(seat for seat, count in enumerate(counts) if count == max(counts))
