"""Each seat's outlook between two battles: its chance of winning the game, computed from a few features.

A seat's features describe its regions, the battles it has won, its hand, and whether it has the battle marker. A seat's
score is the sum of its features, each multiplied by a fitted coefficient. The seats' chances are the softmax of their
scores. There are two sets of coefficients. `held` is for positions with known hands, and `dealt` is for positions just
before all seats are dealt new cards. `python -m benchmarks.fit` fits the coefficients to games that `skilled` plays
against itself.

Bots that share this module differ only in their coefficients. Any change to this module could change the moves of
released bots.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from ..board import group_size, members

if TYPE_CHECKING:
    from ..board import Board, Regions
    from ..edition import Goal
    from ..state import State

FEATURES = (
    "close",
    "one short",
    "regions",
    "last region",
    "chances to win",
    "chances to grow",
    "marker",
    "marker and a chance",
    "worth of hand",
    "cards in hand",
    "worth of hand and a chance",
)
"""The names of the features, in order."""
MOST_CHANCES = 3
"""The limit of each of two counts: the regions that would make a seat win, and those that would enlarge its group."""


class Outlook(NamedTuple):
    """The coefficients of the features: `held` if the hands are known, `dealt` if new hands are about to be dealt."""

    held: tuple[float, ...]
    dealt: tuple[float, ...]


def chances(state: State, prices: Sequence[float], outlook: Outlook, *, dealt: bool) -> list[float]:
    """Return each seat's chance of winning an unfinished game, in seat order. The chances add up to 1.

    Seats that have resigned, and seats that take no part in a final battle, have a chance of 0. `prices` gives the
    worth of each kind of card.
    """
    coefficients = outlook.dealt if dealt else outlook.held
    seats = [*members(state.fighters)] if state.fighters else state.remaining_seats()
    scores = [sum(map(mul, coefficients, features(state, seat, prices, dealt=dealt))) for seat in seats]
    highest = max(scores)
    odds = [exp(score - highest) for score in scores]
    total = sum(odds)
    found = [0.0] * state.seats
    for seat, odd in zip(seats, odds, strict=True):
        found[seat] = odd / total
    return found


def features(state: State, seat: int, prices: Sequence[float], *, dealt: bool) -> tuple[float, ...]:
    """Return a seat's features. Most features have values from 0 to 1."""
    goal = state.edition.goals[state.seats]
    marker = float(state.marker == seat)
    board = state.edition.board
    if board is None:
        assert goal.battles is not None, "every edition without a board has a goal of won battles"
        won = state.won[seat]
        return (won / goal.battles, float(won == goal.battles - 1), 0, 0, 0, 0, marker, 0, 0, 0, 0)
    close, short, regions, last, winning, growing = _on_the_board(state, seat, board, goal)
    worth = size = 0.0
    if not dealt:
        hand = state.hands[seat]
        worth, size = sum(map(mul, prices, hand)) / 20, sum(hand) / 10
    chance = float(winning > 0)
    return (close, short, regions, last, winning, growing, marker, marker * chance, worth, size, worth * chance)


def _on_the_board(state: State, seat: int, board: Board, goal: Goal) -> tuple[float, ...]:
    """Return a seat's features that depend on regions."""
    own = state.held[seat]
    number = own.bit_count()
    assert goal.adjacent is not None, "every edition with a board has a goal of adjacent regions"
    group, winning, growing = _reach(board.neighbours, own, state.edition.contestable(state) & ~own, goal.adjacent)
    if goal.total is not None and number == goal.total - 1:
        winning = MOST_CHANCES
    return (
        group / goal.adjacent,
        float(group == goal.adjacent - 1),
        0.0 if goal.total is None else number / goal.total,
        float(goal.total is not None and number == goal.total - 1),
        winning / MOST_CHANCES,
        growing / MOST_CHANCES,
    )


@lru_cache(maxsize=65_536)
def _reach(neighbours: tuple[Regions, ...], own: Regions, free: Regions, goal: int) -> tuple[int, int, int]:
    """Return the largest group's size and two counts of free regions.

    The first count is the number of free regions that would enlarge the group to at least `goal` regions. The second
    count is the number of free regions that would enlarge the group at all. Both counts are at most `MOST_CHANCES`.
    """
    group = group_size(neighbours, own)
    winning = growing = 0
    for region in members(free):
        after = group_size(neighbours, own | 1 << region)
        winning += after >= goal
        growing += after > group
    return group, min(winning, MOST_CHANCES), min(growing, MOST_CHANCES)
