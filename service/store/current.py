"""Current games: for each player, the open and running games that the player owns or has a seat in.

When an append changes a game's players or status, it also updates this index, in the game's shard and in the same step.
A reader adds up the counts of all shards. Earlier releases do not have this index. If an earlier release was the last
to change a game, the game is missing from the index until its seats or status change, or until a rebuild.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from . import keys
from .connection import Server
from .transport import Command

OWNED = "own-"
"""The beginning of the value for a game that the player owns. The game's status follows."""
OPEN = "open"


def write_current(game_id: str, values: Mapping[str, str], others: Iterable[str]) -> list[Command]:
    """Return the commands that write a game's value for each player in `values`, and remove the game for all `others`.

    Run the commands together with the commit.
    """
    shard = keys.shard_of_game(game_id)
    writes: list[Command] = [("HSET", _key(shard, player), game_id, value.encode()) for player, value in values.items()]
    return [*writes, *(("HDEL", _key(shard, player), game_id) for player in others)]


def value_of(status: str, *, owned: bool) -> str:
    """Return the value that this index holds for a game with this status.

    >>> value_of("open", owned=True), value_of("running", owned=False)
    ('own-open', 'running')
    """
    return f"{OWNED if owned else ''}{status}"


class Counted(NamedTuple):
    """How many open and running games a player has, and how many of the games that the player owns have not started."""

    games: int
    open_owned: int


class Current:
    """The current games of all players."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads."""
        self._server = server

    def count(self, player: str) -> Counted:
        """Return how many current games a player has. Takes one round trip. Raises: StoreError."""
        answers = self._server.ask_parts([("HVALS", _key(shard, player)) for shard in range(keys.SHARDS)])
        values = [value for answer in answers for value in answer or ()]
        return Counted(len(values), values.count(value_of(OPEN, owned=True).encode()))

    def has(self, player: str, game_id: str) -> bool:
        """Return whether a game is one of a player's current games. Takes one round trip. Raises: StoreError."""
        found = self._server.ask("HEXISTS", _key(keys.shard_of_game(game_id), player), game_id)
        return bool(found)


def _key(shard: int, player: str) -> str:
    return keys.of_shard(shard, f"current:{player}")
