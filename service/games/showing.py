"""Showing cards: how often seats may do it, and what a seat was shown."""

from __future__ import annotations

from typing import Any

from engine import Edition
from engine.cards import Hand
from engine.record import cards_to_record

from .events import NO_SHOWING, SHOWING_ALLOWED, CardsShown
from .table import Table

MOST_SHOWINGS = 5
"""How many times a seat may show cards in one battle: enough to show something else to each of five other seats."""


def default_rule(edition: Edition) -> str:
    """Return whether seats may show each other cards in a game of this edition, if its opening does not say so."""
    return SHOWING_ALLOWED if edition.shows_cards else NO_SHOWING


def missing(held: Hand | list[int], wanted: Hand) -> Hand:
    """Return the wanted cards that are not among the held cards.

    >>> from engine.cards import hand_of, names_of
    >>> names_of(missing(hand_of(["winter", "heroine"]), hand_of(["winter", "winter", "heroine"])))
    ['winter']
    """
    return tuple([max(0, wish - have) for have, wish in zip(held, wanted, strict=True)])


def show_shown(table: Table, seat: int | None) -> list[dict[str, Any]]:
    """Return what the other seats have shown a seat in the current game, oldest first. A spectator was shown nothing.

    The cards were in the hand at `version`. Whether they still are is not said.
    """
    return [_show(event) for event in table.shown if seat in event.to]


def _show(event: CardsShown) -> dict[str, Any]:
    cards = cards_to_record(event.cards)
    return {"seat": event.seat, "cards": cards["cards"], "version": event.version}
