"""The aftermath: what follows a battle, one step a function, in the order that the edition states.

A step yields what happens. One that yields `TurnStarted` has put a question: the chain ends there, and the answer
resumes with the step after it. One that yields `GameEnded` ends everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..events import (
    BattleEnded,
    GameEnded,
    HandDiscarded,
    HandsDealt,
    MarkerTaken,
    RoundEnded,
    RoundStalled,
    RowsDiscarded,
    TurnStarted,
)
from ..moments import CHOOSE_REGION
from ..rules.deal import hand_sizes
from ..rules.order import seats_with_cards
from ..rules.strength import strengths
from ..rules.victory import reached_goals, seats_with_most_regions
from ..state import NOWHERE

if TYPE_CHECKING:
    from ..chance import Chance
    from ..edition import Step
    from ..events import Event
    from ..state import State


def end_battle(state: State, chance: Chance, cause: str) -> Iterator[Event]:
    """The forces are compared, the region and the battle marker go where they belong, and the aftermath follows."""
    battle = _compare_strengths(state, cause)
    heirs, reason = _heirs(state, battle)
    yield battle
    if len(heirs) == 1:
        yield MarkerTaken(heirs[0], reason, None)
    else:
        yield MarkerTaken(chance.pick(state.draws, heirs), reason, state.draws)
    yield from _run(state.edition.aftermath, state, chance)


def resume_from(step: Step, state: State, chance: Chance) -> Iterator[Event]:
    """Go on with this step, which may have another seat to ask, and the steps after it."""
    steps = state.edition.aftermath
    yield from _run(steps[steps.index(step) :], state, chance)


def victory_ends_the_game(state: State, chance: Chance) -> Iterator[Event]:
    """A seat that has reached its goal wins."""
    del chance
    for seat in range(state.seats):
        reasons = reached_goals(state, seat)
        if reasons:
            yield GameEnded((seat,), reasons)


def the_battle_limit_ends_the_game(state: State, chance: Chance) -> Iterator[Event]:
    """House rule: after so many battles the seats with the most regions win."""
    del chance
    if state.battles >= state.edition.battle_limit:
        yield GameEnded(seats_with_most_regions(state), ("battle-limit",))


def rows_are_discarded(state: State, chance: Chance) -> Iterator[Event]:
    """All rows and the season go to the discard."""
    del state, chance
    yield RowsDiscarded()


def a_stall_ends_the_round(state: State, chance: Chance) -> Iterator[Event]:
    """House rule: after two battles a seat without a card laid all hands are discarded.

    The second time in a row, with no card laid between, the seats with the most regions win.
    """
    del chance
    if state.idle < 2 * state.seats:
        return
    if state.stalls:
        yield GameEnded(seats_with_most_regions(state), ("stall",))
        return
    yield RoundStalled(state.idle)
    for seat in seats_with_cards(state):
        yield HandDiscarded(seat, tuple(state.hands[seat]), forced=True)


def the_last_hand_is_discarded(state: State, chance: Chance) -> Iterator[Event]:
    """A seat that is the only one with cards discards its hand."""
    del chance
    seats = seats_with_cards(state)
    if len(seats) == 1:
        yield HandDiscarded(seats[0], tuple(state.hands[seats[0]]), forced=True)


def a_new_round_is_dealt(state: State, chance: Chance) -> Iterator[Event]:
    """When no hand is left, the discard goes back into the deck and every seat is dealt anew."""
    if not seats_with_cards(state):
        yield RoundEnded()
        yield HandsDealt(chance.deal(state.draws, state.deck, hand_sizes(state)), state.draws)


def the_next_region_is_chosen(state: State, chance: Chance) -> Iterator[Event]:
    """The marker's holder chooses a region; where none may be contested, the seats with the most regions win."""
    del chance
    if state.edition.contestable(state):
        yield TurnStarted(state.marker, CHOOSE_REGION)
    else:
        yield GameEnded(seats_with_most_regions(state), ("no-region-left",))


def _run(steps: Iterable[Step], state: State, chance: Chance) -> Iterator[Event]:
    for step in steps:
        event: Event | None = None
        for event in step(state, chance):
            yield event
        if isinstance(event, TurnStarted | GameEnded):
            return
    raise AssertionError("an edition's last step asks somebody or ends the game")


def _compare_strengths(state: State, cause: str) -> BattleEnded:
    region = None if state.contested == NOWHERE else state.contested
    if cause == "bishop":
        return BattleEnded(region, cause, None, tuple(range(state.seats)), None)
    compared = strengths(state.edition, state.rows, state.season)
    leaders = tuple(seat for seat, strength in enumerate(compared) if strength == max(compared))
    return BattleEnded(region, cause, compared, leaders, leaders[0] if len(leaders) == 1 else None)


def _heirs(state: State, battle: BattleEnded) -> tuple[Sequence[int], str]:
    for claim in state.edition.marker:
        seats = claim.seats(state, battle)
        if seats:
            return seats, claim.reason
    raise AssertionError("an edition's last claim to the battle marker names somebody")
