"""The table of a game as JSON for one caller: what is stored beside the game's log."""

from __future__ import annotations

from typing import Any

from ..games.access import is_private, link_secret
from ..games.game import Game
from ..games.repository import Games
from ..store.tables import StoredTable

Json = dict[str, Any]


def show(games: Games, game: Game, player: str | None) -> Json:
    """Return what a caller may see of a game's table. One round trip. Raises: StoreError."""
    stored = games.store.tables.read(game.id)
    return {
        "game": game.id,
        "title": stored.title,
        "private": is_private(game.id),
        "link": _link(games, game, stored) if is_participant(game, player) else None,
    }


def is_participant(game: Game, player: str | None) -> bool:
    """Return whether a player has a seat in a game, or owns the game."""
    return player is not None and (player == game.table.opened.owner or game.table.seat_of(player) is not None)


def _link(games: Games, game: Game, stored: StoredTable) -> Json | None:
    return show_link(game.id, link_secret(games, game.id, stored.link)) if stored.link else None


def show_link(game_id: str, secret: str) -> Json:
    """Return the link of a private game.

    The secret is in the fragment of the board's address, which browsers never send to a server.
    """
    return {"secret": secret, "url": f"/play/{game_id}#link={secret}"}
