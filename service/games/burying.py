"""Buried cards: cards that a seat discarded from its hand, and that no other seat has seen.

No rule depends on where a card in the discard came from, so a position does not record which cards are buried.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub

from engine import State
from engine.cards import NOTHING, Hand
from engine.events import DiscardReshuffled, GameStarted, HandDiscarded, RoundEnded

from .events import Event

_RELEVANT = frozenset({HandDiscarded, RoundEnded, DiscardReshuffled, GameStarted})
"""The event that discards a seat's hand, and the events after which the discard is empty."""


def buried_after(buried: Hand, state: State | None, events: Sequence[Event]) -> Hand:
    """Return the buried cards after `events`, which lead to the position `state`.

    `buried` contains the cards that were buried before these events. The result is empty if the edition's discard is
    not open, or if there is no position.
    """
    if state is None or not state.edition.open_discard:
        return NOTHING
    # Go through the events backwards, because even in a whole log, only the events of the last round matter.
    more = NOTHING
    for event in reversed(events):
        kind = type(event)
        if kind in _RELEVANT:
            if not isinstance(event, HandDiscarded):
                return more
            assert not isinstance(event.cards, int), "a redacted event cannot be replayed"
            more = tuple(map(add, more, event.cards))
    return tuple(map(add, buried, more)) if any(more) else buried


def seen_discard(state: State, buried: Hand) -> Hand:
    """Return the cards in the discard that everybody has seen."""
    return tuple(map(sub, state.discard, buried))
