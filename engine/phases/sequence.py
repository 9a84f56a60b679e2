"""The order of things: an edition's steps, run one after the other until one of them asks somebody or ends the game.

A step yields what happens. One that yields `TurnStarted` last has put a question: the chain ends there, and the answer
goes on with that step or with the one after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..events import GameEnded, MatchEnded, TurnStarted

if TYPE_CHECKING:
    from ..chance import Chance
    from ..edition import Step
    from ..events import Event
    from ..state import State


LAST = frozenset({TurnStarted, GameEnded, MatchEnded})
"""The types of event that end a chain."""


def run(steps: Iterable[Step], state: State, chance: Chance) -> Iterator[Event]:
    """Run these steps until one of them asks a seat, or ends the game or the match."""
    for step in steps:
        event: Event | None = None
        for event in step(state, chance):
            yield event
        if type(event) in LAST:
            return
    raise AssertionError("an edition's last step asks somebody or ends the game")


def resume_from(step: Step, state: State, chance: Chance) -> Iterator[Event]:
    """Go on with this step, which may have another seat to ask, and the steps after it."""
    steps = _sequence(state)
    return run(steps[steps.index(step) :], state, chance)


def resume_after(step: Step, state: State, chance: Chance) -> Iterator[Event]:
    """Go on with the steps after this one."""
    steps = _sequence(state)
    return run(steps[steps.index(step) + 1 :], state, chance)


def _sequence(state: State) -> tuple[Step, ...]:
    return state.edition.aftermath if state.battles else state.edition.opening
