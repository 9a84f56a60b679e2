"""The steps of the opening, before the first battle. The edition defines the order of the steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..events import GameStarted, HandsDealt, MarkerTaken
from ..rules.deal import deal_sizes
from .sequence import run

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import Event
    from ..state import State


def open_game(state: State, chance: Chance) -> Iterator[Event]:
    """Start a game, which may be the next game of a match."""
    edition = state.edition
    yield GameStarted(edition.key, edition.revision, tuple(edition.chosen.items()), state.seats)
    yield from run(edition.opening, state, chance)


def draw_lot_for_marker(state: State, chance: Chance) -> Iterator[Event]:
    """Choose the first holder of the battle marker by lot among the seats that have not resigned."""
    yield MarkerTaken(chance.pick(state.draws, state.remaining_seats()), "lot", state.draws)


def deal_first_hands(state: State, chance: Chance) -> Iterator[Event]:
    """Deal every seat its first hand."""
    yield HandsDealt(chance.deal(state.draws, state.deck_of(0), deal_sizes(state)), state.draws)
