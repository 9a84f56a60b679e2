"""Foresight as JSON: the certain effects of a move, computed only from information that the moving seat may have."""

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
    """Return the response to a dry run: the certain events, and the game after them as the player sees it.

    The view is computed without the seed. The view shows the position of the foresight, in which stand-in cards replace
    the hidden cards.
    """
    events, stops, state = foresight
    after = replace(game, version=game.version + 1, seed=bytes(SEED_BYTES), state=state)
    shown = show_game(after, player)
    if hides_names(game):
        shown = hide_game(shown, player)  # Even if the move would end the game, the game is not over yet.
    # Even if the move would end the game, only the player's own hand is shown, because all other hands contain
    # stand-ins.
    position = show_position(view_for(state, game.table.seat_of(player)), _discarded(game, events))
    # If the phase is uncertain, the position could give a battle number below the current one. In a match, each game
    # begins with battle 1.
    battle = show_progress(game)["battle"] if state.games == game.state.games else 1
    uncertain = {"phase": None, "turn": None} if stops is not None else {}
    return {
        "made": False,
        "stops": stops,
        "events": [event_to_record(event) for event in events],
        "game": {
            **shown,
            "position": {
                **position,
                **uncertain,
                "battle": max(position["battle"], battle),
                "marker": None if state.marker == NOBODY else state.marker,
            },
            "fairness": {**shown["fairness"], "seed": None},
            "head": None,
        },
    }


def _discarded(game: StartedGame, events: Sequence[Event]) -> Hand | None:
    """Return the discarded cards that everybody sees after the certain events, or None if nobody may see them.

    In a foresight, stand-ins replace the whole discard, so the events are applied to the discard that is visible now.
    """
    if not game.state.edition.open_discard:
        return None
    seen = game.state.copy()
    seen.discard = list(seen_discard(seen, game.buried))
    return tuple(evolve(seen, *(event for event in events if not isinstance(event, HandDiscarded))).discard)
