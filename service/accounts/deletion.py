"""Deletion: the service deletes an account at its player's request, and gives up the account's seats and webhooks.

Each step can safely be repeated, and the player's tokens are removed last. Therefore, if a process dies between two
steps, the player can repeat the request to complete the remaining steps. Game logs identify players only by id, and do
not change.
"""

from __future__ import annotations

import logging

from ..games.isolation import isolated
from ..games.repository import Games
from ..games.table import OPEN, RUNNING
from ..play.absence import give_up
from ..problems import Problem
from ..tables import invitations
from ..talk.possessions import remove_all
from .players import Player
from .possessions import places_of

_logger = logging.getLogger(__name__)


def delete(games: Games, player: Player, name: str) -> None:
    """Delete a player's account. `name` must be the player's name (ignoring case).

    The player's own open games are cancelled, the player leaves other open games, and the player's invitations are
    removed. In each running game, the settings for absent players determine whether the player's seat is handed over. A
    seat that is not handed over resigns. The player's messages at tables are removed. The name and all earlier names
    become available again. Raises: Problem (invalid-request), StoreError.
    """
    if name.lower() != player.name.lower():
        errors = {"name": ["Must be your player's name."]}
        raise Problem("invalid-request", "name: to confirm the deletion, send your player's name", errors=errors)
    _clear(games, player.id)
    for former in (*games.store.directory.earlier_names(player.id), player.name):
        games.store.players.free_name(player.id, former)
    games.store.players.delete(player.id, games.now())
    games.store.names.forget([player.id])
    # Another request from the player may have added something before the tokens were removed.
    _clear(games, player.id)


def _clear(games: Games, player: str) -> None:
    remove_all(games, player)
    for webhook in games.store.webhooks.of_players([player]):
        games.store.webhooks.remove(webhook)
    invitations.remove_all(games, player)
    for summary, seat in list(places_of(games, player)):
        if summary["status"] in (OPEN, RUNNING):
            with isolated(_logger, summary["id"], "cannot give up a seat of a deleted account in game %s"):
                give_up(games, summary["id"], player)
        if seat is not None:
            games.store.orders.forget(summary["id"], seat)
