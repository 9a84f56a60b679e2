"""Secrecy: which fields of an event a seat may see. Every event is public, but some of its fields are secret.

A history consists of the current game's events, as one seat may see them. `views` defines what a seat may see of a
position. Once a game is over, its events may be shown in full.
"""

from __future__ import annotations

from collections.abc import Sequence

from .events import (
    CardLaidFaceDown,
    Cards,
    CardsDrawn,
    CardsKept,
    CardTurnedUp,
    Event,
    GameStarted,
    HandDiscarded,
    HandsDealt,
    TurnStarted,
)

WITH_SECRETS = frozenset({HandsDealt, CardsDrawn, HandDiscarded, CardsKept, CardLaidFaceDown, CardTurnedUp})
"""The types of event that have a secret field."""


def seen_by(event: Event, seat: int | None) -> Event:
    """Return what a seat may see of an event. If `seat` is None, return what a spectator may see.

    Instead of hidden cards, the event contains the number of these cards.

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


def history_for(events: Sequence[Event], seat: int | None) -> list[Event]:
    """Return the history of the current game for a seat or, if `seat` is None, for a spectator.

    `events` is the log, or the part of it that `of_last_game` returns. The history begins with the `GameStarted` of the
    current game, which is the last game of a match. Each event is in the form that `seen_by` returns. `TurnStarted` is
    included only as the last event, because a turn that has ended does not change the position.

    >>> from engine import DEFAULT, RandomChance, start
    >>> from random import Random
    >>> history = history_for(start(DEFAULT, 3, RandomChance(Random(1))), seat=2)
    >>> [type(event).__name__ for event in history]
    ['GameStarted', 'MarkerTaken', 'HandsDealt', 'TurnStarted']
    >>> [cards if isinstance(cards, int) else sum(cards) for cards in history[2].hands], type(history[2].hands[0])
    ([10, 10, 10], <class 'int'>)
    """
    types = [*map(type, events)]
    return _redacted(events[len(types) - 1 - types[::-1].index(GameStarted) :], seat)


class Histories:
    """The history of the current game for each seat, extended as events happen.

    Each history equals the result of `history_for`. A history is built or extended only on request, so a history that
    is never requested costs no time.

    >>> from engine import DEFAULT, RandomChance, start
    >>> from random import Random
    >>> histories = Histories()
    >>> events = start(DEFAULT, 3, RandomChance(Random(1)))
    >>> histories.extend(events)
    >>> histories[2] == history_for(events, 2)
    True
    """

    def __init__(self) -> None:
        """Start with an empty log. The first event that is added must be `GameStarted`."""
        self._log: list[Event] = []
        self._histories: dict[int, list[Event]] = {}
        self._read: dict[int, int] = {}

    def extend(self, events: Sequence[Event]) -> None:
        """Add the next events of the log: all events of one or more commands."""
        if GameStarted in map(type, events):
            self._log, self._histories, self._read = [], {}, {}
        self._log += events

    def __getitem__(self, seat: int) -> Sequence[Event]:
        """Return the history for a seat. A later request for the same history adds events to this sequence."""
        read = self._read.get(seat)
        if read is None:
            self._histories[seat] = history_for(self._log, seat)
        elif read < len(self._log):
            history = self._histories[seat]
            if type(history[-1]) is TurnStarted:
                history.pop()
            history += _redacted(self._log[read:], seat)
        self._read[seat] = len(self._log)
        return self._histories[seat]


def _redacted(events: Sequence[Event], seat: int | None) -> list[Event]:
    """Return events as a seat may see them, without the `TurnStarted` events of turns that have ended."""
    types = [*map(type, events)]
    redacted = [
        seen_by(event, seat) if kind in WITH_SECRETS else event
        for kind, event in zip(types, events, strict=True)
        if kind is not TurnStarted
    ]
    if types[-1] is TurnStarted:
        redacted.append(events[-1])
    return redacted


def _visible(cards: Cards, own: bool) -> Cards:
    return cards if own or isinstance(cards, int) else sum(cards)
