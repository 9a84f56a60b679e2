"""When a bot or a seat's standing orders must act: an index over all shards, written by the append that asks them.

Times in it are those of the server's own clock, which the append reads and which is read again to tell what is overdue.
So no clock of a web process or of the machine that looks needs to be right.
"""

from __future__ import annotations

from . import keys
from .connection import Server
from .lua import script

OVERDUE = script("find_overdue")


class Due:
    """The games in which a bot must act."""

    def __init__(self, server: Server) -> None:
        """Take the server on which the index lies."""
        self._server = server

    def overdue(self, grace: int) -> list[tuple[str, int]]:
        """Return the games in which a bot had to act at least `grace` ms ago, and when (ms since the epoch).

        One round trip. Raises: StoreUnavailable.
        """
        where = [keys.of_shard(shard, "due") for shard in range(keys.SHARDS)]
        reads = [self._server.command(OVERDUE, [key], [grace]) for key in where]
        return [(game, due) for answer in self._server.ask_parts(reads) for due, game in keys.games_at(answer or ())]
