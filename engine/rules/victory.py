"""Victory: which seats have won, which seats lead, and the points that each seat gains in a game of a match."""

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
    """Return the goals that a seat has reached, as `reasons` for `GameEnded`."""
    adjacent, total, battles = state.edition.goals[state.seats]
    held = state.held[seat]
    count = held.bit_count()
    reasons: tuple[str, ...] = ()
    # Compare the number of regions first, because finding the largest group is expensive.
    if adjacent is not None and count >= adjacent and _largest_group_size(state, held) >= adjacent:
        reasons += (ADJACENT_REGIONS,)
    if total is not None and count >= total:
        reasons += ("total-regions",)
    if battles is not None and state.won[seat] >= battles:
        reasons += ("battles-won",)
    return reasons


def _largest_group_size(state: State, held: Regions) -> int:
    assert state.edition.board, "only an edition with a board has a goal of adjacent regions"
    return largest_group(state.edition.board, held)


def regions_held(state: State) -> Sequence[int]:
    """Return how many regions each seat holds."""
    return [held.bit_count() for held in state.held]


def battles_won(state: State) -> Sequence[int]:
    """Return how many battles each seat has won."""
    return state.won


def leaders(state: State) -> tuple[int, ...]:
    """Return the seats with the highest score according to the edition's `standing`, ignoring seats that have resigned.

    If all scores are 0, return all seats that have not resigned.
    """
    return seats_with_most(state.edition.standing(state), state.gone)


def sole_leader(state: State) -> tuple[int, ...]:
    """Return the seat with the highest score, or no seat if several are tied."""
    seats = leaders(state)
    return seats if len(seats) == 1 else ()


def seats_with_most(counts: Sequence[int], gone: int = 0) -> tuple[int, ...]:
    """Return the seats with the highest count, ignoring seats in the set `gone`.

    >>> seats_with_most([2, 0, 2])
    (0, 2)
    >>> seats_with_most([2, 0, 1], gone=0b001)
    (2,)
    """
    seats = [seat for seat in range(len(counts)) if not gone >> seat & 1]
    most = max(counts[seat] for seat in seats)
    return tuple(seat for seat in seats if counts[seat] == most)


def leaders_share_victory(battle: BattleEnded) -> tuple[int, ...]:
    """Return the winners of a final battle: all seats with the highest strength."""
    return battle.leaders


def sole_leader_wins(battle: BattleEnded) -> tuple[int, ...]:
    """Return the winner of a final battle: the seat with the highest strength, or no seat after a tie or a bishop."""
    return () if battle.winner is None else (battle.winner,)


def points_gained(state: State, game_ended: GameEnded) -> tuple[int, ...]:
    """Return each seat's points for one game of a match: 1 for each region, plus 5 for a victory by adjacent regions.

    A seat that has resigned gets no points.
    """
    extra = POINTS_FOR_ADJACENCY if ADJACENT_REGIONS in game_ended.reasons else 0
    return tuple(
        0 if state.gone >> seat & 1 else count + extra * (seat in game_ended.winners)
        for seat, count in enumerate(regions_held(state))
    )
