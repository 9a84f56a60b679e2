"""Ending by consent: which seats must agree to end a game, which events then end it, and what everybody can see."""

from __future__ import annotations

from typing import Any

from engine import State, end_as_it_stands, leading

from .events import NO_RESULT, PLAYERS, EndAsked, Event, GameCancelled
from .game import Snapshot
from .table import RUNNING

AGREED = "the players agreed to end the game"
"""The reason that is shown for a game that its players ended without a result."""


def has_asked(game: Snapshot, seat: int, outcome: str) -> bool:
    """Return whether a seat has asked to end a game with the given outcome during the current battle."""
    return any(request.seat == seat and request.outcome == outcome for request in game.table.end_asked)


def completes(game: Snapshot, request: EndAsked) -> bool:
    """Return whether all other players who make their own moves have already asked for this outcome."""
    others = [seat for seat in game.seats_of_people() if seat != request.seat]
    return all(has_asked(game, seat, request.outcome) for seat in others)


def end(state: State, outcome: str) -> list[Event]:
    """Return the events that end a running game with this outcome. If the leaders win, change `state` in place."""
    if outcome == NO_RESULT:
        return [GameCancelled(PLAYERS, AGREED)]
    return [*end_as_it_stands(state)]


def show_ending(game: Snapshot) -> dict[str, Any] | None:
    """Return which seats have asked to end a running game, and which seats would win if it ended now.

    For other games, return None.
    """
    if game.state is None or game.status != RUNNING:
        return None
    people = game.seats_of_people()
    requests = [request for request in game.table.end_asked if request.seat in people]
    return {
        "asked": [{"seat": request.seat, "outcome": request.outcome} for request in requests],
        "leaders": list(leading(game.state)),
    }
