"""Due games: games in which a bot or a seat's standing orders must act, and when each game became due.

Each append updates this index, in the game's shard. The times come from the log server's own clock, which is also used
to find overdue games. The other machines' clocks therefore do not matter.
"""

from __future__ import annotations

from . import keys
from .connection import Server
from .lua import script

OVERDUE = script("find_overdue", when_read_only=True)


class Due:
    """The games in which a bot or a seat's standing orders must act."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads."""
        self._server = server

    def overdue(self, grace: int) -> list[tuple[str, int]]:
        """Return the games that became due at least `grace` ms ago, each with the time (in ms) when it became due.

        Takes one round trip. Raises: StoreUnavailable.
        """
        where = [keys.of_shard(shard, "due") for shard in range(keys.SHARDS)]
        reads = [self._server.command(OVERDUE, [key], [grace]) for key in where]
        return [(game, due) for answer in self._server.ask_parts(reads) for due, game in keys.games_at(answer or ())]
