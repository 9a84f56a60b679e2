"""Foresight as JSON: the certain effects of a move, computed only from what the moving seat is allowed to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine import Event, Foresight, event_to_record, evolve, view_for
from engine.cards import Hand
from engine.events import HandDiscarded
from engine.state import NOBODY

from ..games.burying import seen_discard
from ..games.game import SEED_BYTES, StartedGame
from ..games.hiding import hide_game, hides_names
from ..games.list_entries import show_progress
from .game import show_game, show_position

Json = dict[str, Any]


def show_foresight(game: StartedGame, foresight: Foresight, player: str) -> Json:
    """Return the response to a dry run: the events that are certain, and the game as the player would then see it.

    The game's seed is not used. The position comes from the foresight, where stand-in cards replace the hidden cards.
    """
    events, stops, state = foresight
    after = replace(game, version=game.version + 1, seed=bytes(SEED_BYTES), state=state)
    view = show_game(after, player)
    if hides_names(game):
        view = hide_game(view, player)  # Even if the move would end the game, the game is not over yet.
    # Even if the move would end the game, only the player's own hand is shown, because all other hands contain
    # stand-ins.
    position = show_position(view_for(state, game.table.seat_of(player)), _discarded(game, events))
    # If the phase is uncertain, the position's battle number could be too low. The shown number is therefore at least
    # the current one or, if a new game of a match has begun, at least 1, because each game begins with battle 1.
    battle = show_progress(game)["battle"] if state.games == game.state.games else 1
    uncertain = {"phase": None, "turn": None} if stops is not None else {}
    return {
        "made": False,
        "stops": stops,
        "events": [event_to_record(event) for event in events],
        "game": {
            **view,
            "position": {
                **position,
                **uncertain,
                "battle": max(position["battle"], battle),
                "marker": None if state.marker == NOBODY else state.marker,
            },
            "fairness": {**view["fairness"], "seed": None},
            "head": None,
        },
    }


def _discarded(game: StartedGame, events: Sequence[Event]) -> Hand | None:
    """Return the discarded cards that everybody would see after `events`, or None if nobody may see them.

    The discard in the foresight cannot be shown, because it contains only stand-in cards. This function therefore
    applies the events to the discard that is visible now.
    """
    if not game.state.edition.open_discard:
        return None
    seen = game.state.copy()
    seen.discard = list(seen_discard(seen, game.buried))
    return tuple(evolve(seen, *(event for event in events if not isinstance(event, HandDiscarded))).discard)
