"""Showing cards: how often a seat may show cards, and which cards other seats have shown to a seat."""

from __future__ import annotations

from typing import Any

from engine import Edition
from engine.cards import Hand
from engine.record import cards_to_record

from .events import NO_SHOWING, SHOWING_ALLOWED, CardsShown
from .table import Table

MOST_SHOWINGS = 5
"""How many times a seat may show cards in one battle: enough to show different cards to each of five other seats."""


def default_rule(edition: Edition) -> str:
    """Return the default rule for showing cards in games of this edition."""
    return SHOWING_ALLOWED if edition.shows_cards else NO_SHOWING


def missing(held: Hand | list[int], wanted: Hand) -> Hand:
    """Return the cards in `wanted` that are not in `held`.

    >>> from engine.cards import hand_of, names_of
    >>> names_of(missing(hand_of(["winter", "heroine"]), hand_of(["winter", "winter", "heroine"])))
    ['winter']
    """
    return tuple([max(0, wish - have) for have, wish in zip(held, wanted, strict=True)])


def show_shown(table: Table, seat: int | None) -> list[dict[str, Any]]:
    """Return the cards that other seats have shown to a seat in the current game, oldest first.

    For a spectator, the list is empty.

    In each item, `version` is the version at which the hand contained the cards. The cards may have left the hand since
    that version.
    """
    return [_show(event) for event in table.shown if seat in event.to]


def _show(event: CardsShown) -> dict[str, Any]:
    cards = cards_to_record(event.cards)
    return {"seat": event.seat, "cards": cards["cards"], "version": event.version}
