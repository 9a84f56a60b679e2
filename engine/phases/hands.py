"""Hands: after a battle, each seat with cards keeps or discards its hand, clockwise from the battle marker's holder.

The engine also asks a seat that must keep its hand. Skipping that seat would reveal that it holds a mercenary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING

from ..cards import has_mercenaries
from ..commands import DiscardHand, KeepHand
from ..errors import Refusal
from ..events import HandDiscarded, HandKept, TurnStarted
from ..phase_names import KEEP_OR_DISCARD
from ..rules.order import clockwise_from, seats_with_cards
from .phase import Phase
from .sequence import resume_from

if TYPE_CHECKING:
    from ..chance import Chance
    from ..commands import Command
    from ..events import Event
    from ..state import State


def ask_to_keep_or_discard(state: State, chance: Chance) -> Iterable[Event]:
    """Ask the next seat that has cards and has not answered yet, if there is one."""
    for seat in clockwise_from(state.seats, state.marker):
        if not state.answered >> seat & 1 and any(state.hands[seat]):
            return _turn(seat)
    return ()


def ask_to_keep_or_discard_unless_only_hand(state: State, chance: Chance) -> Iterable[Event]:
    """Ask the next seat that has cards and has not answered yet, unless only one seat has cards.

    If only one seat has cards, the round ends without a question, because the seat's answer would make no difference.
    When the round ends, the seat's hand is discarded, or the seat chooses which cards to keep, depending on the
    edition. The number of cards in each hand is public, so skipping the question reveals nothing.
    """
    return ask_to_keep_or_discard(state, chance) if len(seats_with_cards(state)) > 1 else ()


QUESTION_STEPS = (ask_to_keep_or_discard, ask_to_keep_or_discard_unless_only_hand)
"""The steps that can start this phase. An edition has one of these steps."""


def legal(state: State) -> list[Command]:
    """Return the command to keep the hand and, if the hand has no mercenary, the command to discard it."""
    answers = _answers(state.turn)
    return [answers[0]] if has_mercenaries(state.hands[state.turn]) else list(answers)


def check(state: State, command: KeepHand | DiscardHand) -> None:
    """Refuse to discard a hand that contains a mercenary."""
    if isinstance(command, DiscardHand) and has_mercenaries(state.hands[command.seat]):
        raise Refusal("hand-has-mercenaries", "a hand with a mercenary in it may not be discarded")


def decide(state: State, command: KeepHand | DiscardHand, chance: Chance) -> Iterator[Event]:
    """Yield the answer, then ask the next seat, or run the remaining steps if all seats have answered."""
    if isinstance(command, KeepHand):
        yield _hand_kept(command.seat)
    else:
        yield HandDiscarded(command.seat, tuple(state.hands[command.seat]), forced=False)
    yield from resume_from(QUESTION_STEPS, state, chance)


@cache
def _answers(seat: int) -> tuple[Command, Command]:
    return KeepHand(seat), DiscardHand(seat)


_hand_kept = cache(HandKept)


@cache
def _turn(seat: int) -> tuple[TurnStarted]:
    return (TurnStarted(seat, KEEP_OR_DISCARD),)


KEEP_OR_DISCARD_PHASE = Phase((KeepHand, DiscardHand), legal, check, decide, partial(resume_from, QUESTION_STEPS))
