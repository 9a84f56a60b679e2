"""Given seats: for each player, the running games in which a bot has been given their seat.

The append writes them, in the game's own shard; a reader merges the shards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from . import keys
from .connection import Server
from .rows import objects
from .transport import Command


def note_bot_seat(game_id: str, player: str, seat: Mapping[str, Any]) -> Command:
    """Return the command that notes a seat that a bot has been given, to be written with a commit."""
    return ("HSET", _key(keys.shard_of_game(game_id), player), game_id, orjson.dumps(seat))


def forget_bot_seat(game_id: str, player: str) -> Command:
    """Return the command that forgets a player's seat in a game, to be written with a commit."""
    return ("HDEL", _key(keys.shard_of_game(game_id), player), game_id)


class BotSeats:
    """The given seats of all players."""

    def __init__(self, server: Server) -> None:
        """Take the server that keeps them."""
        self._server = server

    def of_player(self, player: str) -> list[dict[str, Any]]:
        """Return every seat of a player that a bot has been given, in no order; one round trip.

        Raises: StoreUnavailable.
        """
        reads = [("HVALS", _key(shard, player)) for shard in range(keys.SHARDS)]
        found = (row for rows in self._server.ask_parts(reads) for row in rows or ())
        return objects(found)


def _key(shard: int, player: str) -> str:
    return keys.of_shard(shard, f"given:{player}")
