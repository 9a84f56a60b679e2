"""Secrecy: which fields of an event a seat may see. Every event is public, but some of its fields are secret.

`views` defines what a seat may see of a position. When a game is over, its events may be shown in full.
"""

from __future__ import annotations

from .events import (
    CardLaidFaceDown,
    Cards,
    CardsDrawn,
    CardsKept,
    CardTurnedUp,
    Event,
    HandDiscarded,
    HandsDealt,
)


def seen_by(event: Event, seat: int | None) -> Event:
    """Return an event as a seat (None: a spectator) may see it: hidden cards are replaced by their number.

    >>> from engine.cards import hand_of
    >>> seen_by(HandDiscarded(seat=1, cards=hand_of(["winter", "heroine"]), forced=False), seat=0).cards
    2
    """
    if isinstance(event, HandsDealt):
        return event._replace(hands=tuple(_visible(cards, owner == seat) for owner, cards in enumerate(event.hands)))
    if isinstance(event, HandDiscarded | CardsDrawn | CardsKept):
        return event._replace(cards=_visible(event.cards, event.seat == seat))
    if isinstance(event, CardLaidFaceDown) and event.seat != seat:
        return event._replace(card=None, turn_up=None)
    if isinstance(event, CardTurnedUp) and event.seat != seat:
        return event._replace(newest=None)
    return event


def _visible(cards: Cards, own: bool) -> Cards:
    return cards if own or isinstance(cards, int) else sum(cards)
