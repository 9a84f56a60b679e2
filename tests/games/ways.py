"""The ways in which a game can end, derived only from an edition's values.

A way is named by the reasons of the last event: `adjacent-regions`, or `adjacent-regions+total-regions` for both at
once. The name of an ending of a match begins with `match:`. If several seats share the victory, `/shared` follows; if
nobody wins, `/drawn`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import Edition, Event
from engine.board import Board, members
from engine.cards import BISHOP
from engine.edition import FinalBattle
from engine.events import GameEnded, MatchEnded
from engine.phases.aftermath import (
    end_game_at_battle_limit,
    end_game_on_empty_hands,
    end_game_on_stall,
    end_game_without_empty_regions,
    end_or_draw_game_at_battle_limit,
    end_or_draw_game_on_stall,
    end_round_on_stall,
)
from engine.rules.contest import empty_regions
from engine.rules.specials import remove_highest_mercenaries_and_move_favor
from engine.rules.victory import sole_leader_wins

STALLS = {end_round_on_stall, end_game_on_stall}


def way_of(end: Event) -> str:
    """Return the way of ending according to the last event of a game."""
    assert isinstance(end, GameEnded | MatchEnded)
    way = ("match:" if isinstance(end, MatchEnded) else "") + "+".join(end.reasons)
    return way + {0: "/drawn", 1: ""}.get(len(end.winners), "/shared")


def ways(edition: Edition, seats: int) -> list[str]:
    """Return every way in which a game, or a match, of this edition can end with this number of seats."""
    return list(_ways_of_a_match(edition) if edition.match_target else _ways_of_a_game(edition, seats))


def _ways_of_a_match(edition: Edition) -> Iterator[str]:
    yield from ("match:points", "match:no-points", "match:no-points/shared")
    if edition.final_battle:
        yield from ("match:final-battle", f"match:{_level_in(edition.final_battle)}")


def _ways_of_a_game(edition: Edition, seats: int) -> Iterator[str]:
    goal = edition.goals[seats]
    if goal.adjacent is not None:
        yield "adjacent-regions"
    if goal.total is not None:
        yield "total-regions"
    if goal.adjacent is not None and goal.total is not None:
        yield "adjacent-regions+total-regions"
    if goal.battles is not None:
        yield "battles-won"
    if STALLS & set(edition.aftermath):
        yield from ("stall", "stall/shared")
    if end_or_draw_game_on_stall in edition.aftermath:
        yield from ("stall", "stall/drawn")
    if end_game_at_battle_limit in edition.aftermath:
        yield from ("battle-limit", "battle-limit/shared")
    if end_or_draw_game_at_battle_limit in edition.aftermath:
        yield from ("battle-limit", "battle-limit/drawn")
    if end_game_on_empty_hands in edition.aftermath:
        yield from ("out-of-cards", "out-of-cards/drawn")
    if edition.may_decline:
        yield "declined"
    if division(edition, seats, level=False):
        yield "no-region-left"
    if edition.may_decline or division(edition, seats, level=True):
        yield from _ways_where_the_first_are_level(edition)


def _ways_where_the_first_are_level(edition: Edition) -> Iterator[str]:
    if edition.final_battle:
        yield from ("final-battle", _level_in(edition.final_battle))
    else:
        yield "no-region-left/shared"
        if edition.may_decline:
            yield "declined/shared"


def _level_in(final: FinalBattle) -> str:
    return "final-battle/drawn" if final.winners is sole_leader_wins else "final-battle/shared"


class Division(NamedTuple):
    """A board without empty regions: the owner of each region, and the region that has the favor marker."""

    owners: dict[int, int]
    favored: int | None


def division(edition: Edition, seats: int, *, level: bool) -> Division | None:
    """Return a division of all regions that a game can reach, with one seat ahead or several seats tied.

    Return None if there is no such division, because the game does not end in this way or somebody would have won
    earlier.
    """
    board = edition.board
    neutral = end_game_without_empty_regions in edition.aftermath
    if board is None or not (neutral or edition.contestable is empty_regions):
        return None
    favored: list[int | None] = [None]
    if not neutral and edition.specials[BISHOP].effect is remove_highest_mercenaries_and_move_favor:
        favored += range(len(board.regions))
    goal = edition.goals[seats]
    for region in favored:
        regions = [index for index in _side_by_side(board) if index != region]
        for most in range(1, min(len(regions), (goal.total or 99) - 1) + 1):
            first = 2 if level else 1
            shares = [(most, most)] * first + [(0, most if level else most - 1)] * (seats - first)
            owners = _divide(board, goal.adjacent or 99, regions, shares, [0] * seats)
            if owners:
                return Division(owners, region)
    return None


def _side_by_side(board: Board) -> list[int]:
    """Return all regions, each bordering on as many earlier ones as possible: this finds too large groups early."""
    order = [0]
    while len(order) < len(board.regions):
        touching = {
            region: sum(board.neighbours[region] >> other & 1 for other in order)
            for region in range(len(board.regions))
            if region not in order
        }
        order.append(max(touching, key=lambda region: (touching[region], -region)))
    return order


def _divide(
    board: Board, too_many: int, regions: Sequence[int], shares: Sequence[tuple[int, int]], held: Sequence[int]
) -> dict[int, int] | None:
    """Give each seat a number of these regions within its share, without creating a group that is too large."""
    counts = [mine.bit_count() for mine in held]
    room = sum(most - count for count, (_, most) in zip(counts, shares, strict=True))
    owed = sum(max(0, least - count) for count, (least, _) in zip(counts, shares, strict=True))
    if not owed <= len(regions) <= room:
        return None
    if not regions:
        return {}
    first, *rest = regions
    tried = set()
    for seat, (mine, share) in enumerate(zip(held, shares, strict=True)):
        # Two seats with the same share and no region yet are interchangeable.
        if mine.bit_count() == share[1] or (not mine and share in tried):
            continue
        if not mine:
            tried.add(share)
        if _group(board, mine | 1 << first, first) < too_many:
            grown = [*held[:seat], mine | 1 << first, *held[seat + 1 :]]
            owners = _divide(board, too_many, rest, shares, grown)
            if owners is not None:
                return {first: seat, **owners}
    return None


def _group(board: Board, held: int, region: int) -> int:
    """Return the size of the group that contains this region."""
    group, edge = 0, 1 << region
    while edge:
        group |= edge
        around = 0
        for index in members(edge):
            around |= board.neighbours[index]
        edge = around & held & ~group
    return group.bit_count()
