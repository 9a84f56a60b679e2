"""Bot seats: for each player, the running games in which the player's seat was given to a bot.

An append that gives a seat to a bot, or returns the seat to its player, also updates this index, in the game's shard.
Readers merge the entries of all shards.
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
    """Return the command that records in this index that a player's seat in a game was given to a bot.

    Run the command together with the commit.
    """
    return ("HSET", _key(keys.shard_of_game(game_id), player), game_id, orjson.dumps(seat))


def forget_bot_seat(game_id: str, player: str) -> Command:
    """Return the command that removes a player's seat in a game from this index.

    Run the command together with the commit.
    """
    return ("HDEL", _key(keys.shard_of_game(game_id), player), game_id)


class BotSeats:
    """All players' seats that were given to bots."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads."""
        self._server = server

    def of_player(self, player: str) -> list[dict[str, Any]]:
        """Return all of a player's seats that were given to bots, in no particular order. Takes one round trip.

        Raises: StoreUnavailable.
        """
        reads = [("HVALS", _key(shard, player)) for shard in range(keys.SHARDS)]
        return objects(row for rows in self._server.ask_parts(reads) for row in rows or ())


def _key(shard: int, player: str) -> str:
    return keys.of_shard(shard, f"given:{player}")
