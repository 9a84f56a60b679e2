"""Sequences: runs an edition's steps in order, until a step asks a seat for a command or ends the game.

A step yields events. If a step's last event is `TurnStarted`, the step has asked a seat for a command, and the run
stops. The seat's answer resumes the run at the same step or at the next step. If a sequence repeats a step,
`TurnStarted` records the step's index, because the phase alone does not identify the step.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING

from ..events import BattleEnded, FinalBattleStarted, GameEnded, GameStarted, MatchEnded, TurnStarted

if TYPE_CHECKING:
    from ..chance import Chance
    from ..edition import Step
    from ..events import Event
    from ..state import State


CHAIN_ENDS = frozenset({TurnStarted, GameEnded, MatchEnded})
"""The types of event after which the engine stops and returns the events."""

SEQUENCE_STARTS = frozenset({GameStarted, BattleEnded, FinalBattleStarted})
"""The types of event after which another sequence runs: an opening, an aftermath or a final battle."""


def run(steps: tuple[Step, ...], state: State, chance: Chance, first: int = 0) -> Iterator[Event]:
    """Run these steps from index `first`, until a step asks a seat for a command, or ends the game or the match."""
    indexed_steps = _with_indices(steps) if state.edition.repeats_a_step else steps
    for step in indexed_steps[first:]:
        event: Event | None = None
        for event in step(state, chance):
            yield event
        if type(event) in CHAIN_ENDS:
            return
    raise AssertionError("an edition's last step asks a seat or ends the game")


def resume_from(question_steps: tuple[Step, ...], state: State, chance: Chance) -> Iterator[Event]:
    """Rerun the step that asked a seat for a command, and then run the later steps.

    The step is rerun because it may have to ask another seat.

    `question_steps` are the steps that could have asked the seat. The current sequence contains one of these steps.
    """
    steps = _sequence(state)
    return run(steps, state, chance, _step_index(question_steps, steps, state))


def resume_after(question_steps: tuple[Step, ...], state: State, chance: Chance) -> Iterator[Event]:
    """Run the steps after the step that asked a seat. For `question_steps`, see `resume_from`."""
    steps = _sequence(state)
    return run(steps, state, chance, _step_index(question_steps, steps, state) + 1)


def _sequence(state: State) -> tuple[Step, ...]:
    """Return the sequence that contains the step that asked a seat."""
    edition = state.edition
    if state.fighters:
        assert edition.final_battle, "only an edition with a final battle has fighters"
        return edition.final_battle.steps
    return edition.aftermath if state.battles else edition.opening


def _step_index(question_steps: tuple[Step, ...], steps: tuple[Step, ...], state: State) -> int:
    if state.step is not None:
        return state.step
    return next(index for index, step in enumerate(steps) if step in question_steps)


@cache
def _with_indices(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return these steps, with each step that occurs more than once wrapped in a function that records its index."""
    return tuple(partial(_run_at, index, step) if steps.count(step) > 1 else step for index, step in enumerate(steps))


def _run_at(index: int, step: Step, state: State, chance: Chance) -> Iterator[Event]:
    """Run a step, and record its index in the step's own `TurnStarted`.

    If the step starts another sequence, that sequence's `TurnStarted` events stay unchanged.
    """
    own = True
    for event in step(state, chance):
        own = own and type(event) not in SEQUENCE_STARTS
        yield event._replace(step=index) if own and isinstance(event, TurnStarted) else event
