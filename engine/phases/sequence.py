"""The order of things: an edition's steps, run one after the other until one of them asks somebody or ends the game.

A step yields what happens. One that yields `TurnStarted` last has put a question: the chain ends there, and the answer
goes on with that step or with the one after it. Where a sequence has a step more than once, its question names its
place: the phase alone would not say which of them is answered, and one of them may have had nobody to ask.
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


LAST = frozenset({TurnStarted, GameEnded, MatchEnded})
"""The types of event that end a chain."""

SEQUENCE_FOLLOWS = frozenset({GameStarted, BattleEnded, FinalBattleStarted})
"""The types of event after which another sequence is run: an opening, an aftermath, the steps to a final battle."""


def run(steps: tuple[Step, ...], state: State, chance: Chance, first: int = 0) -> Iterator[Event]:
    """Run these steps, from the place `first` on, until one of them asks a seat, or ends the game or the match."""
    placed = _placed(steps) if state.edition.repeats_a_step else steps
    for step in placed[first:]:
        event: Event | None = None
        for event in step(state, chance):
            yield event
        if type(event) in LAST:
            return
    raise AssertionError("an edition's last step asks somebody or ends the game")


def resume_from(asking: tuple[Step, ...], state: State, chance: Chance) -> Iterator[Event]:
    """Go on with the step that has asked, which may have another seat to ask, and the steps after it.

    `asking` are the steps that may have put the question: an edition's sequence has one of them.
    """
    steps = _sequence(state)
    return run(steps, state, chance, _place(asking, steps, state))


def resume_after(asking: tuple[Step, ...], state: State, chance: Chance) -> Iterator[Event]:
    """Go on with the steps after the one that has asked; for `asking` see `resume_from`."""
    steps = _sequence(state)
    return run(steps, state, chance, _place(asking, steps, state) + 1)


def _sequence(state: State) -> tuple[Step, ...]:
    """Return the steps of which one has asked."""
    edition = state.edition
    if state.fighters:
        assert edition.final_battle, "where seats fight a final battle the edition has one"
        return edition.final_battle.steps
    return edition.aftermath if state.battles else edition.opening


def _place(asking: tuple[Step, ...], steps: tuple[Step, ...], state: State) -> int:
    if state.step is not None:
        return state.step
    return next(place for place, step in enumerate(steps) if step in asking)


@cache
def _placed(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return these steps; of those that stand here more than once each with its place."""
    return tuple(partial(_at, place, step) if steps.count(step) > 1 else step for place, step in enumerate(steps))


def _at(place: int, step: Step, state: State, chance: Chance) -> Iterator[Event]:
    """Run a step, and name its place in its question; what belongs to a sequence that follows stays as it is."""
    own = True
    for event in step(state, chance):
        own = own and type(event) not in SEQUENCE_FOLLOWS
        yield event._replace(step=place) if own and isinstance(event, TurnStarted) else event
