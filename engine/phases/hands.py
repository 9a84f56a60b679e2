"""Keep or discard: after a battle each seat with cards answers, from the marker's holder clockwise.

A seat that may only keep is asked as well: to skip it would tell the table that it holds a mercenary.
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


def each_seat_keeps_or_discards(state: State, chance: Chance) -> Iterable[Event]:
    """Ask the next seat with cards that has not answered yet."""
    for seat in clockwise_from(state.seats, state.marker):
        if not state.answered >> seat & 1 and any(state.hands[seat]):
            return _turn(seat)
    return ()


def each_seat_keeps_or_discards_while_others_have_cards(state: State, chance: Chance) -> Iterable[Event]:
    """Ask the next seat with cards that has not answered yet, unless it is the only seat with cards.

    The end of the round takes that seat's hand, or asks which cards it keeps, so this question would give it no choice
    of its own. Everybody knows how many cards each hand has, so not to be asked tells nothing about the cards.
    """
    return each_seat_keeps_or_discards(state, chance) if len(seats_with_cards(state)) > 1 else ()


ASKING = (each_seat_keeps_or_discards, each_seat_keeps_or_discards_while_others_have_cards)
"""The steps that put this question: an edition has one of them."""


def legal(state: State) -> list[Command]:
    """Keep the hand, or discard all of it where no mercenary is in it."""
    answers = _answers(state.turn)
    return [answers[0]] if has_mercenaries(state.hands[state.turn]) else list(answers)


def check(state: State, command: KeepHand | DiscardHand) -> None:
    """Refuse to discard a hand that holds a mercenary."""
    if isinstance(command, DiscardHand) and has_mercenaries(state.hands[command.seat]):
        raise Refusal("hand-has-mercenaries", "a hand with a mercenary in it may not be discarded")


def decide(state: State, command: KeepHand | DiscardHand, chance: Chance) -> Iterator[Event]:
    """The answer, and then the next question or what follows when all have answered."""
    if isinstance(command, KeepHand):
        yield _kept(command.seat)
    else:
        yield HandDiscarded(command.seat, tuple(state.hands[command.seat]), forced=False)
    yield from resume_from(ASKING, state, chance)


@cache
def _answers(seat: int) -> tuple[Command, Command]:
    return KeepHand(seat), DiscardHand(seat)


_kept = cache(HandKept)


@cache
def _turn(seat: int) -> tuple[TurnStarted]:
    return (TurnStarted(seat, KEEP_OR_DISCARD),)


HANDS = Phase((KeepHand, DiscardHand), legal, check, decide, partial(resume_from, ASKING))
