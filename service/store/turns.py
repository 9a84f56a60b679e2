"""Turns: for each player, the games in which it is the player's turn.

If an append changes which seat must act, the append also updates this index, in the game's shard and in the same step.
Readers merge the entries of all shards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from . import keys
from .connection import Server
from .rows import objects
from .transport import Command


def write_turn(game_id: str, players: Iterable[str], player: str | None, turn: Mapping[str, Any]) -> list[Command]:
    """Return the commands that record which player a game is waiting for. Run the commands together with the commit."""
    shard = keys.shard_of_game(game_id)
    writes: list[Command] = [
        ("HDEL", keys.of_shard(shard, f"turns:{other}"), game_id) for other in players if other != player
    ]
    if player is not None:
        writes.append(("HSET", keys.of_shard(shard, f"turns:{player}"), game_id, orjson.dumps(turn)))
    return writes


class Turns:
    """The turns of all players."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads."""
        self._server = server

    def of_player(self, player: str) -> list[dict[str, Any]]:
        """Return a player's current turns in all games, in no particular order. Takes one round trip.

        Raises: StoreUnavailable.
        """
        reads = [("HVALS", keys.of_shard(shard, f"turns:{player}")) for shard in range(keys.SHARDS)]
        return objects(row for rows in self._server.ask_parts(reads) for row in rows or ())
