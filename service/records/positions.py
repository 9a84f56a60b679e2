"""Positions in a record: the table and the view after each of its commits.

A redacted record does not name hidden cards, but says how many there are in each place. This is enough to show
everything that the caller may see of a position. A hidden card is counted in a hand, a deck or the discard, and becomes
known when it is laid. Each hidden card is therefore replaced by a card of an arbitrary kind, and the view shows only
the number of cards in each place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine import NEWEST, Event, State, View, evolve, replay, view_for
from engine.cards import KINDS, Hand
from engine.events import CardLaidFaceDown, Cards, CardsDrawn, GameStarted, HandDiscarded, HandsDealt

from ..games.commits import Commit
from ..games.events import TableOpened, game_events, table_events
from ..games.table import Table, empty_table
from ..problems import Problem

ANY_KIND = 0
"""The kind of card that replaces each hidden card."""
MOST_SEATS = max(edition.most_seats for edition in NEWEST.values())
"""The number of seats of the largest table."""


class Moment(NamedTuple):
    """The view of a game after one commit. `view` is None before the game starts."""

    commit: Commit
    table: Table
    view: View | None


def moment_after(commits: Iterable[Commit], seat: int | None, *, is_open: bool) -> Moment:
    """Return the view of the game after the last of `commits`. The first commit must open the table.

    The view is that of a seat, or of a spectator if `seat` is None. The view of an open record shows every hand.
    Raises: EngineError, LookupError, TypeError, ValueError or AssertionError if the commits do not form a game; Problem
    (record-unreadable) if a hand has more cards than the game.
    """
    table: Table | None = None
    state: State | None = None
    for commit in commits:
        if table is None:
            table = _opened_table(commit)
            table = table.after(commit.at, table_events(commit.events[1:]))
        else:
            table = table.after(commit.at, table_events(commit.events), game_events(commit.events))
        events = [_without_hidden_cards(event) for event in game_events(commit.events)]
        if events:
            _check_seats(events, table)
            state = replay(events) if state is None else evolve(state, *events)
            _check_hands(state)
    if table is None:
        raise ValueError("a record must have at least one commit")
    return Moment(commit, table, None if state is None else _view(state, seat, is_open=is_open))


def _opened_table(commit: Commit) -> Table:
    opened = commit.events[0]
    if not isinstance(opened, TableOpened):
        raise TypeError("the first event of a log must open the table")
    if opened.seats not in range(1, MOST_SEATS + 1):
        raise ValueError(f"no edition has {opened.seats} seats")
    return empty_table(opened)


def _check_seats(events: Iterable[Event], table: Table) -> None:
    for event in events:
        if isinstance(event, GameStarted) and event.seats != table.opened.seats:
            raise ValueError("a game must have as many seats as its table")


def _check_hands(state: State) -> None:
    """Check that no hand has more cards than the whole game has. A view lists every card of a hand, so without this
    check, a record could make the view arbitrarily large.

    Raises: Problem.
    """
    printed = sum(state.edition.deck) * len(state.decks)
    for seat, hand in enumerate(state.hands):
        if sum(hand) > printed:
            raise Problem("record-unreadable", f"seat {seat} has {sum(hand)} cards, but the game has only {printed}")


def _without_hidden_cards(event: Event) -> Event:
    """Return an event in which every hidden card is replaced by a card of an arbitrary kind."""
    match event:
        case HandsDealt():
            return event._replace(hands=tuple(map(_known, event.hands)))
        case CardsDrawn() | HandDiscarded():
            return event._replace(cards=_known(event.cards))
        case CardLaidFaceDown(card=None):
            return event._replace(card=ANY_KIND)
    return event


def _known(cards: Cards) -> Hand:
    if not isinstance(cards, int):
        return cards
    return tuple([cards if kind == ANY_KIND else 0 for kind in range(KINDS)])


def _view(state: State, seat: int | None, *, is_open: bool) -> View:
    if not is_open:
        return view_for(state, seat)
    view = view_for(state, None)
    hidden = tuple(tuple([kinds.count(kind) for kind in range(KINDS)]) for kinds in state.hidden)
    return view._replace(hands=tuple(map(tuple, state.hands)), hidden=hidden)
