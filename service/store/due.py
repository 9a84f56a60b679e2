"""When a bot or a seat's standing orders must act: an index over all shards, written by the append that asks them.

Times in it are those of the server's own clock, which the append reads and which is read again to tell what is overdue.
So no clock of a web process or of the machine that looks needs to be right.
"""

from __future__ import annotations

from . import keys
from .connection import Server

OVERDUE = """
-- Finds the games of a shard in which a bot should have acted some time ago.
--
-- KEYS  1 due
-- ARGV  1 how long ago, in ms
-- gives game, when, game, when... (ms since the epoch), the longest overdue first
--
-- Reason: the time must be asked of the server that wrote the times, in the same round trip.
local clock = redis.call('TIME')
local since = clock[1] * 1000 + math.floor(clock[2] / 1000) - ARGV[1]
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', since), 'WITHSCORES')
"""


class Due:
    """The games in which a bot must act."""

    def __init__(self, server: Server) -> None:
        """Take the server on which the index lies."""
        self._server = server

    def overdue(self, grace: int) -> list[tuple[str, int]]:
        """Return the games in which a bot had to act at least `grace` ms ago, and when (ms since the epoch).

        One round trip. Raises: StoreUnavailable.
        """
        # Sent whole each time: a server that does not know a script could not be told it in the middle of a pipeline.
        reads = [("EVAL", OVERDUE, 1, keys.of_shard(shard, "due"), grace) for shard in range(keys.SHARDS)]
        return [(game, due) for answer in self._server.ask_parts(reads) for due, game in keys.games_at(answer or ())]
