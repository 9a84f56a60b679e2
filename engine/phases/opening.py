"""The opening: what happens before the first battle, one step a function, in the order that the edition states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..events import GameStarted, HandsDealt, MarkerTaken
from ..rules.deal import hand_sizes
from .sequence import run

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import Event
    from ..state import State


def open_game(state: State, chance: Chance) -> Iterator[Event]:
    """A game begins, the only one or the next of a match."""
    edition = state.edition
    yield GameStarted(edition.key, edition.revision, tuple(edition.chosen.items()), state.seats)
    yield from run(edition.opening, state, chance)


def a_lot_gives_the_marker(state: State, chance: Chance) -> Iterator[Event]:
    """A lot among all seats says who holds the battle marker first; in a match, among those that are still there."""
    yield MarkerTaken(chance.pick(state.draws, state.still_there()), "lot", state.draws)


def the_first_hands_are_dealt(state: State, chance: Chance) -> Iterator[Event]:
    """Every seat is dealt its first hand."""
    yield HandsDealt(chance.deal(state.draws, state.deck_of(0), hand_sizes(state)), state.draws)
