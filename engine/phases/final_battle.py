"""The final battle between seats that are level: what leads to it, one step a function, in the edition's order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..events import DiscardReshuffled, HandDiscarded, HandsDealt, MarkerTaken
from ..rules.deal import as_far_as_the_deck_goes
from ..rules.order import clockwise_from, seats_with_cards

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import Event
    from ..state import State


def everybody_discards(state: State, chance: Chance) -> Iterator[Event]:
    """Every hand is discarded, of those who fight and of those who do not."""
    for seat in seats_with_cards(state):
        yield HandDiscarded(seat, tuple(state.hands[seat]), forced=True)


def bystanders_discard(state: State, chance: Chance) -> Iterator[Event]:
    """The hands of those who do not fight are discarded."""
    for seat in seats_with_cards(state):
        if not state.fighters >> seat & 1:
            yield HandDiscarded(seat, tuple(state.hands[seat]), forced=True)


def the_discard_is_reshuffled(state: State, chance: Chance) -> Iterator[Event]:
    """The discard goes back into the deck."""
    yield DiscardReshuffled()


def the_marker_goes_left_to_a_fighter(state: State, chance: Chance) -> Iterator[Event]:
    """The battle marker goes to the left until a seat that fights has it."""
    nearest = next(seat for seat in clockwise_from(state.seats, state.marker) if state.fighters >> seat & 1)
    if nearest != state.marker:
        yield MarkerTaken(nearest, "left", None)


def fighters_are_dealt_ten_and_one_a_region(state: State, chance: Chance) -> Iterator[Event]:
    """Those who fight are dealt ten cards, and one more for each region they hold."""
    yield _dealt_to_fighters(state, chance, [10 + held.bit_count() for held in state.held])


def fighters_are_dealt_ten_and_two_a_region(state: State, chance: Chance) -> Iterator[Event]:
    """Those who fight are dealt ten cards, and two more for each region they hold."""
    yield _dealt_to_fighters(state, chance, [10 + 2 * held.bit_count() for held in state.held])


def fighters_are_dealt_ten(state: State, chance: Chance) -> Iterator[Event]:
    """Those who fight are dealt ten cards, beside those that they hold."""
    yield _dealt_to_fighters(state, chance, [10] * state.seats)


def _dealt_to_fighters(state: State, chance: Chance, sizes: Sequence[int]) -> HandsDealt:
    fought_for = [size if state.fighters >> seat & 1 else 0 for seat, size in enumerate(sizes)]
    dealt = as_far_as_the_deck_goes(state, fought_for)
    return HandsDealt(chance.deal(state.draws, state.deck_of(0), dealt), state.draws)
