"""Who may see which part of an event: every event is public, and only some of its fields are for one seat alone.

What a seat may know of a position is said in `views`. Whoever shows a game that is over may show its events whole.
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
    """Return the event as a seat sees it: cards that are not its own become their number. None is a spectator.

    >>> from engine.cards import hand_of
    >>> seen_by(HandDiscarded(seat=1, cards=hand_of(["winter", "heroine"]), forced=False), seat=0).cards
    2
    """
    if isinstance(event, HandsDealt):
        return event._replace(hands=tuple(_known(cards, owner == seat) for owner, cards in enumerate(event.hands)))
    if isinstance(event, HandDiscarded | CardsDrawn | CardsKept):
        return event._replace(cards=_known(event.cards, event.seat == seat))
    if isinstance(event, CardLaidFaceDown) and event.seat != seat:
        return event._replace(card=None, turn_up=None)
    if isinstance(event, CardTurnedUp) and event.seat != seat:
        return event._replace(newest=None)
    return event


def _known(cards: Cards, known: bool) -> Cards:
    return cards if known or isinstance(cards, int) else sum(cards)
