"""Blocks: the players whose messages a player does not want to see.

Blocked players cannot tell that they are blocked.
"""

from __future__ import annotations

from typing import Any

from ..games.repository import Games
from ..problems import Problem, shown
from ..store.blocks import MAX_BLOCKS

Json = dict[str, Any]


def show_blocks(games: Games, player: str) -> list[Json]:
    """Return the players whom a player has blocked, with names, oldest block first.

    Takes one or two round trips. Raises: StoreError.
    """
    blocked = games.store.blocks.of_player(player)
    names = games.store.names.of(blocked)
    return [{"player": other, "name": names[other], "since": at} for other, at in blocked.items()]


def block(games: Games, player: str, other: str) -> None:
    """Block a player. If the player is already blocked, the block keeps its original time.

    Raises: Problem (unknown-player, invalid-request, too-many-blocks), StoreError.
    """
    if other == player:
        errors = {"player_id": ["Must be another player."]}
        raise Problem("invalid-request", "player_id: you cannot block yourself", errors=errors)
    _require_player(games, other)
    if not games.store.blocks.add(player, other, games.now()):
        detail = f"you have blocked {MAX_BLOCKS} players, which is the maximum: unblock somebody first"
        raise Problem("too-many-blocks", detail, cap=MAX_BLOCKS)


def unblock(games: Games, player: str, other: str) -> None:
    """Unblock a player. If the player is not blocked, nothing changes. Raises: Problem (unknown-player), StoreError."""
    _require_player(games, other)
    games.store.blocks.remove(player, other)


def _require_player(games: Games, player: str) -> None:
    if games.store.players.get(player) is None:
        raise Problem("unknown-player", f"there is no player {shown(player)}: check the id")
