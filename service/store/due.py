"""When a bot must act: an index over all shards, written by the append that makes it a bot's turn."""

from __future__ import annotations

from . import keys
from .connection import Server


class Due:
    """The games in which a bot must act."""

    def __init__(self, server: Server) -> None:
        """Take the server on which the index lies."""
        self._server = server

    def overdue(self, now: int) -> list[tuple[str, int]]:
        """Return the games in which a bot had to act by `now`, and when (ms since the epoch); one round trip.

        Raises: StoreUnavailable.
        """
        reads = [
            ("ZRANGEBYSCORE", keys.of_shard(shard, "due"), "-inf", now, "WITHSCORES") for shard in range(keys.SHARDS)
        ]
        found = []
        for answer in self._server.ask_all(reads):
            members = iter(answer)
            found += [(game.decode(), int(due)) for game, due in zip(members, members, strict=True)]
        return found
