"""Choosing a region: the holder of the battle marker says where the next battle is fought."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from ..board import members
from ..commands import ChooseRegion
from ..errors import Refusal
from ..events import RegionChosen
from .battle import begin_battle
from .phase import Phase

if TYPE_CHECKING:
    from ..chance import Chance
    from ..commands import Command
    from ..events import Event
    from ..state import State


def legal(state: State) -> list[Command]:
    """One command for each region that may be contested."""
    return [_choose(state.turn, region) for region in members(state.edition.contestable(state))]


def check(state: State, command: ChooseRegion) -> None:
    """Refuse a region that bears a marker which protects it."""
    if not state.edition.contestable(state) >> command.region & 1:
        name = state.edition.board.regions[command.region].name
        if state.favor == command.region:
            raise Refusal("region-favored", f"{name} has the favor marker and may not be contested", "region")
        raise Refusal("region-owned", f"{name} has a control marker and may not be contested", "region")


def decide(state: State, command: ChooseRegion, chance: Chance) -> Iterator[Event]:
    """The region is contested and the battle begins."""
    yield RegionChosen(command.seat, command.region)
    yield from begin_battle(state, chance)


@cache
def _choose(seat: int, region: int) -> ChooseRegion:
    return ChooseRegion(seat, region)


CHOOSING = Phase((ChooseRegion,), legal, check, decide)
