"""Entries of lists: how lists of games, and the list of a player's turns, show one game."""

from __future__ import annotations

from typing import Any

from engine import State

from ..clocks.game_clock import ALL
from ..clocks.settings import to_record as settings_to_record
from .game import Snapshot

Json = dict[str, Any]


def show_summary(game: Snapshot) -> Json:
    """Return the entry of a game in lists of games. It holds nothing that every move of a running game would change."""
    clock = game.table.clock
    return {
        "id": game.id,
        "status": game.status,
        **show_header(game),
        "result": show_result(game),
        "clock": None if clock is None else settings_to_record(clock.settings),
    }


def show_turn(game: Snapshot, state: State) -> Json:
    """Return the entry of a game in the list of a player's turns; `state` is the game's position."""
    turn = game.table.clock.turn if game.table.clock else None
    return {
        "game": game.id,
        "url": f"/v1/games/{game.id}",
        "edition": game.table.opened.edition,
        "seat": state.turn,
        "phase": state.phase,
        "version": game.version,
        "since": turn.since if turn else game.changed_at,
        "deadline": turn.deadline if turn else None,
        "reminder": turn.reminded if turn and turn.reminded < ALL else None,
    }


def show_header(game: Snapshot) -> Json:
    """Return the members that an entry in a list and the game itself share: which game it is, and who sits there."""
    opened, seats = game.table.opened, enumerate(game.table.seats)
    return {
        "edition": opened.edition,
        "options": opened.options,
        "owner": opened.owner,
        "start": opened.start,
        "opened_at": game.opened_at,
        "changed_at": game.changed_at,
        "seated": [{"seat": number, "player": seat.player, "bot": seat.bot} for number, seat in seats],
    }


def show_result(game: Snapshot) -> Json | None:
    """Return who won a game and why, None if the game is not over."""
    result = None if game.state is None else game.state.result
    return None if result is None else {"winners": list(result.winners), "reasons": list(result.reasons)}
