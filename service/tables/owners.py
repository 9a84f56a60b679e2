"""Owners: how the owner of a game hands the table over to another player, by name."""

from __future__ import annotations

from ..games.repository import Answer, Games
from ..idempotency import Attempt
from ..play import owning
from ..play.guards import require_owner
from ..timekeeping.deadlines import current
from .invitations import known_player


def hand_over(games: Games, game_id: str, owner: str, name: str, attempt: Attempt | None = None) -> Answer:
    """Make another player, given by name or id, the owner of a game. The player must have a seat in it.

    Raises: Problem (not-the-owner, game-cancelled, game-over, player-not-seated, invalid-request).
    """
    game = current(games, game_id)
    if attempt is None or not attempt.begun:
        require_owner(game, owner, "hand the table over")
    return owning.hand_over(games, game_id, owner, known_player(games, name), attempt)
