"""Keeping cards: at the end of a round, the last seat with cards chooses which cards to keep, and discards the rest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from ..cards import KINDS, NAMES
from ..commands import KeepCards
from ..errors import Refusal
from ..events import CardsKept, HandDiscarded
from .aftermath import ask_to_keep_cards
from .phase import Phase
from .sequence import resume_after, resume_from

if TYPE_CHECKING:
    from ..chance import Chance
    from ..commands import Command
    from ..events import Event
    from ..state import State


QUESTION_STEPS = (ask_to_keep_cards,)
"""The step that starts this phase."""


def legal(state: State) -> list[Command]:
    """Return one command for each choice of cards to keep, including none."""
    seat = state.turn
    hand = state.hands[seat]
    kinds_in_hand = [kind for kind in range(KINDS) if hand[kind]]
    commands: list[Command] = []
    for size in range(state.edition.cards_kept + 1):
        for kinds in combinations_with_replacement(kinds_in_hand, size):
            keep = tuple(kinds.count(kind) for kind in range(KINDS))
            if all(number <= count for number, count in zip(keep, hand, strict=True)):
                commands.append(KeepCards(seat, keep))
    return commands


def check(state: State, command: KeepCards) -> None:
    """Reject a choice that contains more cards than allowed, or cards that are not in the hand."""
    for kind, (number, count) in enumerate(zip(command.keep, state.hands[command.seat], strict=True)):
        if not 0 <= number <= count:
            name = NAMES[kind]
            raise Refusal(
                "card-not-in-hand",
                f"seat {command.seat} has {count} {name} in its hand and cannot keep {number}",
                "keep",
            )
    most = state.edition.cards_kept
    if sum(command.keep) > most:
        raise Refusal("too-many-kept", f"seat {command.seat} may keep at most {most} cards", "keep")


def decide(state: State, command: KeepCards, chance: Chance) -> Iterator[Event]:
    """Discard the rest of the hand, and run the remaining steps, which end the round."""
    yield CardsKept(command.seat, command.keep)
    rest = tuple(count - number for count, number in zip(state.hands[command.seat], command.keep, strict=True))
    if any(rest):
        yield HandDiscarded(command.seat, rest, forced=True)
    yield from resume_after(QUESTION_STEPS, state, chance)


KEEP_CARDS_PHASE = Phase((KeepCards,), legal, check, decide, partial(resume_from, QUESTION_STEPS))
