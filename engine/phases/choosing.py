"""Choosing a region: the holder of the battle marker chooses the region of the next battle, or declines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from ..board import members
from ..commands import ChooseRegion, DeclineRegion
from ..errors import BadRecord, Refusal
from ..events import MarkerTaken, RegionChosen, RegionDeclined
from ..rules.order import next_remaining_seat
from .aftermath import ask_to_choose_region
from .ending import end_game_on_standing
from .phase import Phase
from .sequence import resume_after, resume_from

if TYPE_CHECKING:
    from ..board import Regions
    from ..chance import Chance
    from ..commands import Command
    from ..events import Event
    from ..state import State


QUESTION_STEPS = (ask_to_choose_region,)
"""The step that starts this phase."""


def legal(state: State) -> list[Command]:
    """Return one command for each region that may be contested, and a decline if the edition allows it."""
    commands: list[Command] = [*_choices(state.turn, state.edition.contestable(state))]
    if state.edition.may_decline:
        commands.append(DeclineRegion(state.turn))
    return commands


def check(state: State, command: ChooseRegion | DeclineRegion) -> None:
    """Reject a decline if the edition does not allow it, and reject a region that may not be contested."""
    if isinstance(command, DeclineRegion):
        if not state.edition.may_decline:
            raise Refusal("decline-not-allowed", "the holder of the battle marker must choose a region", "type")
        return
    assert state.edition.board, "only an edition with a board asks for a region"
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
    """Yield the choice, and then the events that follow it.

    After a decline, ask the seat on the left, or end the game if all seats have declined.
    """
    if isinstance(command, ChooseRegion):
        yield RegionChosen(command.seat, command.region)
        yield from resume_after(QUESTION_STEPS, state, chance)
        return
    yield RegionDeclined(command.seat)
    yield MarkerTaken(next_remaining_seat(state, command.seat), "declined", None)
    if state.declines == len(state.remaining_seats()):
        yield from end_game_on_standing(state, chance, "declined")
    else:
        yield from resume_from(QUESTION_STEPS, state, chance)


@lru_cache(maxsize=1024)
def _choices(seat: int, regions: Regions) -> tuple[ChooseRegion, ...]:
    return tuple(_choice(seat, region) for region in members(regions))


@cache
def _choice(seat: int, region: int) -> ChooseRegion:
    return ChooseRegion(seat, region)


CHOOSE_REGION_PHASE = Phase((ChooseRegion, DeclineRegion), legal, check, decide, partial(resume_from, QUESTION_STEPS))
