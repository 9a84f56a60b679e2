"""Choosing a region: the holder of the battle marker says where the next battle is fought, or declines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from ..board import members
from ..commands import ChooseRegion, DeclineRegion
from ..errors import BadRecord, Refusal
from ..events import MarkerTaken, RegionChosen, RegionDeclined
from ..rules.order import next_still_there
from .aftermath import the_next_region_is_chosen
from .ending import end_level_game
from .phase import Phase
from .sequence import resume_after, resume_from

if TYPE_CHECKING:
    from ..board import Regions
    from ..chance import Chance
    from ..commands import Command
    from ..events import Event
    from ..state import State


ASKING = (the_next_region_is_chosen,)
"""The step that puts this question."""


def legal(state: State) -> list[Command]:
    """One command for each region that may be contested, and to decline where the edition allows it."""
    commands: list[Command] = [*_choices(state.turn, state.edition.contestable(state))]
    if state.edition.may_decline:
        commands.append(DeclineRegion(state.turn))
    return commands


def check(state: State, command: ChooseRegion | DeclineRegion) -> None:
    """Refuse to decline where a region must be chosen, and a region that bears a marker which protects it."""
    if isinstance(command, DeclineRegion):
        if not state.edition.may_decline:
            raise Refusal("decline-not-allowed", "the holder of the battle marker must choose a region", "type")
        return
    assert state.edition.board, "where regions are chosen there is a board"
    regions = state.edition.board.regions
    if not 0 <= command.region < len(regions):
        raise BadRecord(f"there is no region with the number {command.region}")
    if not state.edition.contestable(state) >> command.region & 1:
        name = regions[command.region].name
        if state.favor == command.region:
            raise Refusal("region-favored", f"{name} has the favor marker and may not be contested", "region")
        whose = "one of your control markers" if state.held[command.seat] >> command.region & 1 else "a control marker"
        raise Refusal("region-owned", f"{name} has {whose} and may not be contested", "region")


def decide(state: State, command: ChooseRegion | DeclineRegion, chance: Chance) -> Iterator[Event]:
    """The region is contested, or the seat on the left is asked; when all have declined in a row the game ends."""
    if isinstance(command, ChooseRegion):
        yield RegionChosen(command.seat, command.region)
        yield from resume_after(ASKING, state, chance)
        return
    yield RegionDeclined(command.seat)
    yield MarkerTaken(next_still_there(state, command.seat), "declined", None)
    if state.declines == len(state.still_there()):
        yield from end_level_game(state, chance, "declined")
    else:
        yield from resume_from(ASKING, state, chance)


@lru_cache(maxsize=1024)
def _choices(seat: int, regions: Regions) -> tuple[ChooseRegion, ...]:
    return tuple(_choose(seat, region) for region in members(regions))


@cache
def _choose(seat: int, region: int) -> ChooseRegion:
    return ChooseRegion(seat, region)


CHOOSING = Phase((ChooseRegion, DeclineRegion), legal, check, decide, partial(resume_from, ASKING))
