"""Blocked players: a player does not see invitations from players whom the player has blocked.

The senders cannot tell that they are blocked.
"""

from __future__ import annotations

from collections.abc import Container

from ..games.repository import Games


def blocked_by(games: Games, player: str) -> Container[str]:
    """Return the players whom a player has blocked. Takes one round trip. Raises: StoreError."""
    return games.store.blocks.of_player(player)
