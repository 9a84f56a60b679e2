"""The opening: who holds the battle marker first, and the first deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..events import HandsDealt, MarkerTaken, TurnStarted
from ..moments import CHOOSE_REGION
from ..rules.deal import hand_sizes

if TYPE_CHECKING:
    from ..chance import Chance
    from ..events import Event
    from ..state import State


def open_game(state: State, chance: Chance) -> Iterator[Event]:
    """Draw a lot for the battle marker, deal the first hands, and let the marker's holder choose."""
    yield MarkerTaken(chance.pick(state.draws, range(state.seats)), "lot", state.draws)
    yield HandsDealt(chance.deal(state.draws, state.deck, hand_sizes(state)), state.draws)
    yield TurnStarted(state.marker, CHOOSE_REGION)
