"""Who has won, who is ahead, and what a game is worth in a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..board import largest_group

if TYPE_CHECKING:
    from ..board import Regions
    from ..events import BattleEnded, GameEnded
    from ..state import State

ADJACENT_REGIONS = "adjacent-regions"
POINTS_FOR_ADJACENCY = 5


def reached_goals(state: State, seat: int) -> tuple[str, ...]:
    """Return the goals that a seat has reached, as reasons of `game-ended`; several at once are all named."""
    adjacent, total, battles = state.edition.goals[state.seats]
    held = state.held[seat]
    count = held.bit_count()
    reasons: tuple[str, ...] = ()
    # Only where there are enough regions is it worth looking how they hang together.
    if adjacent is not None and count >= adjacent and _hang_together(state, held) >= adjacent:
        reasons += (ADJACENT_REGIONS,)
    if total is not None and count >= total:
        reasons += ("total-regions",)
    if battles is not None and state.won[seat] >= battles:
        reasons += ("battles-won",)
    return reasons


def _hang_together(state: State, held: Regions) -> int:
    assert state.edition.board, "where adjacent regions win there is a board"
    return largest_group(state.edition.board, held)


def regions_held(state: State) -> Sequence[int]:
    """Return for each seat the number of regions it controls."""
    return [held.bit_count() for held in state.held]


def battles_won(state: State) -> Sequence[int]:
    """Return for each seat the number of battles it has won."""
    return state.won


def leaders(state: State) -> tuple[int, ...]:
    """Return the seats that have most of what the edition counts; all of them where nobody has any.

    Seats that have resigned are left out.
    """
    return seats_with_most(state.edition.standing(state), state.gone)


def sole_leader(state: State) -> tuple[int, ...]:
    """Return the one seat that is ahead, or no seat where several are level."""
    ahead = leaders(state)
    return ahead if len(ahead) == 1 else ()


def seats_with_most(counts: Sequence[int], gone: int = 0) -> tuple[int, ...]:
    """Return the seats whose count is the highest, of those that are not in the set `gone`.

    >>> seats_with_most([2, 0, 2])
    (0, 2)
    >>> seats_with_most([2, 0, 1], gone=0b001)
    (2,)
    """
    there = [seat for seat in range(len(counts)) if not gone >> seat & 1]
    most = max(counts[seat] for seat in there)
    return tuple(seat for seat in there if counts[seat] == most)


def the_strongest_share_the_victory(battle: BattleEnded) -> tuple[int, ...]:
    """The seats with the highest strength have won a final battle, one or several."""
    return battle.leaders


def nobody_wins_a_tie(battle: BattleEnded) -> tuple[int, ...]:
    """The one seat with the highest strength has won a final battle: after a tie, or a Bishop, nobody has."""
    return () if battle.winner is None else (battle.winner,)


def points_gained(state: State, ended: GameEnded) -> tuple[int, ...]:
    """Return what a game of a match brings each seat: 1 a region, and 5 more for winning by adjacent regions.

    It brings nothing to a seat that has resigned.
    """
    extra = POINTS_FOR_ADJACENCY if ADJACENT_REGIONS in ended.reasons else 0
    return tuple(
        0 if state.gone >> seat & 1 else count + extra * (seat in ended.winners)
        for seat, count in enumerate(regions_held(state))
    )
