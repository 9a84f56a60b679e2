"""Owners: a game's owner can hand the game over to another player, who is identified by name, id or seat."""

from __future__ import annotations

from ..games.game import Game
from ..games.hiding import hides_names
from ..games.repository import Answer, Games, earlier_answer
from ..idempotency import Attempt
from ..play import owning
from ..play.guards import require_owner
from ..problems import Problem
from ..timekeeping.deadlines import current
from .invitations import known_player


def hand_over(
    games: Games, game_id: str, owner: str, name: str | None, seat: int | None, attempt: Attempt | None = None
) -> Answer:
    """Make another player the owner of a game. The new owner is identified by name, id or seat, and must have a seat.

    Raises: Problem (not-the-owner, game-cancelled, game-over, names-hidden, player-not-seated, invalid-request).
    """
    game = current(games, game_id)
    if earlier_answer(game, owner, attempt) is None:
        require_owner(game, owner, "hand the table over")
    if name is None:
        return owning.hand_over(games, game_id, owner, _player_in(game, seat), attempt)
    if hides_names(game):
        detail = "this game hides its players until it is over: name the seat of the player instead"
        raise Problem("names-hidden", detail, game=game_id)
    return owning.hand_over(games, game_id, owner, known_player(games, name), attempt)


def _player_in(game: Game, seat: int | None) -> str | None:
    seats = game.table.seats
    return seats[seat].player if seat is not None and seat < len(seats) else None
