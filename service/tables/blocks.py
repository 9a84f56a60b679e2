"""Blocks: whose invitations a player does not see. Nothing tells a player that somebody has blocked them."""

from __future__ import annotations

from collections.abc import Container

from ..games.repository import Games


def blocked_by(games: Games, player: str) -> Container[str]:
    """Return the players whom a player has blocked. One round trip. Raises: StoreError."""
    return games.store.blocks.of_player(player)
