"""Turns: for each player, the games that wait for them.

The append that makes it somebody's turn, or nobody's, writes so in the same instant, in the game's own shard; a reader
merges the shards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from . import keys
from .connection import Server
from .rows import objects
from .transport import Command


def waiting(game_id: str, players: Iterable[str], player: str | None, turn: Mapping[str, Any]) -> list[Command]:
    """Return what says for which of a game's players it waits, to be written with the commit that changes that."""
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
        """Take the server on which they lie."""
        self._server = server

    def of_player(self, player: str) -> list[dict[str, Any]]:
        """Return every turn that waits for a player, in no order; one round trip. Raises: StoreUnavailable."""
        reads = [("HVALS", keys.of_shard(shard, f"turns:{player}")) for shard in range(keys.SHARDS)]
        found = (row for rows in self._server.ask_parts(reads) for row in rows or ())
        return objects(found)
