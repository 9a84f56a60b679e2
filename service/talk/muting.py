"""Muting: the owner of a game can decide which spectators may write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..games.repository import Games, load
from ..problems import Problem

MAX_MUTED = 100
"""The maximum number of spectators that an owner may mute individually."""

Json = dict[str, Any]


def mutes(games: Games, game_id: str, player: str) -> Json:
    """Return the muted spectators of a game, for its owner. Raises: Problem (unknown-game, not-the-owner)."""
    _require_owner(games, game_id, player)
    return games.store.talk.mutes(game_id)


def mute(games: Games, game_id: str, player: str, everyone: bool, players: Sequence[str]) -> Json:
    """Replace a game's mutes, and return the new mutes. Raises: Problem (unknown-game, not-the-owner), StoreError."""
    _require_owner(games, game_id, player)
    games.store.talk.mute(game_id, everyone, list(dict.fromkeys(players)))
    return games.store.talk.mutes(game_id)


def _require_owner(games: Games, game_id: str, player: str) -> None:
    if load(games, game_id).table.opened.owner != player:
        raise Problem("not-the-owner", "only the game's owner can mute spectators: ask the owner", game=game_id)
