"""The steps that start a final battle between tied seats. The edition defines the order of the steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..events import DiscardReshuffled, HandDiscarded, HandsDealt, MarkerTaken
from ..rules.deal import limit_to_deck
from ..rules.order import clockwise_from, seats_with_cards

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import Event
    from ..state import State


def discard_all_hands(state: State, chance: Chance) -> Iterator[Event]:
    """Discard all seats' hands, including those of seats that take no part in the final battle."""
    for seat in seats_with_cards(state):
        yield HandDiscarded(seat, tuple(state.hands[seat]), forced=True)


def discard_hands_of_bystanders(state: State, chance: Chance) -> Iterator[Event]:
    """Discard the hands of the seats that take no part in the final battle."""
    for seat in seats_with_cards(state):
        if not state.fighters >> seat & 1:
            yield HandDiscarded(seat, tuple(state.hands[seat]), forced=True)


def reshuffle_discard(state: State, chance: Chance) -> Iterator[Event]:
    """Shuffle the discard back into the deck."""
    yield DiscardReshuffled()


def move_marker_to_next_fighter(state: State, chance: Chance) -> Iterator[Event]:
    """Pass the battle marker to the left until a fighter has it."""
    nearest = next(seat for seat in clockwise_from(state.seats, state.marker) if state.fighters >> seat & 1)
    if nearest != state.marker:
        yield MarkerTaken(nearest, "left", None)


def deal_fighters_ten_and_one_per_region(state: State, chance: Chance) -> Iterator[Event]:
    """Deal each fighter ten cards, and one more for each region it holds."""
    yield _deal_to_fighters(state, chance, [10 + held.bit_count() for held in state.held])


def deal_fighters_ten_and_two_per_region(state: State, chance: Chance) -> Iterator[Event]:
    """Deal each fighter ten cards, and two more for each region it holds."""
    yield _deal_to_fighters(state, chance, [10 + 2 * held.bit_count() for held in state.held])


def deal_fighters_ten(state: State, chance: Chance) -> Iterator[Event]:
    """Deal each fighter ten cards, in addition to its hand."""
    yield _deal_to_fighters(state, chance, [10] * state.seats)


def _deal_to_fighters(state: State, chance: Chance, sizes: Sequence[int]) -> HandsDealt:
    fighter_sizes = [size if state.fighters >> seat & 1 else 0 for seat, size in enumerate(sizes)]
    hands = chance.deal(state.draws, state.deck_of(0), limit_to_deck(state, fighter_sizes))
    return HandsDealt(hands, state.draws)
