"""Alarms: when the timekeeper must look at a game, because a reminder, a vacation or a timeout may be due.

An index over all shards, written by the append that starts, stops or moves a game's clock. Times in it are those of the
processes that append: their clocks must agree to within a second.
"""

from __future__ import annotations

from . import keys
from .connection import Server
from .lua import script
from .transport import Command

PUT_OFF = script("put_off_alarm")
SET_ASIDE = script("set_aside_alarm")


def set_alarm(game_id: str, at: int | None) -> Command:
    """Return what says when to look at a game, None for never, to be written with the commit that changes that."""
    key = keys.of_shard(keys.shard_of_game(game_id), "looks")
    return ("ZREM", key, game_id) if at is None else ("ZADD", key, at, game_id)


class Alarms:
    """The alarms of all games."""

    def __init__(self, server: Server) -> None:
        """Take the server on which the index lies."""
        self._server = server

    def due(self, now: int, most: int) -> list[str]:
        """Return games at which to look by now, those that have waited longest first, at most so many of a shard.

        One round trip. Raises: StoreUnavailable.
        """
        answers = self._server.ask_parts(self._reads("-inf", now, most))
        return [game for _, game in sorted(entry for answer in answers for entry in keys.games_at(answer or ()))]

    def all(self) -> list[str]:
        """Return every game whose clock runs; one round trip. Raises: StoreUnavailable."""
        reads = [("ZRANGE", keys.of_shard(shard, "looks"), 0, -1, "WITHSCORES") for shard in range(keys.SHARDS)]
        return [game for answer in self._server.ask_parts(reads) for _, game in keys.games_at(answer or ())]

    def put_off(self, game_id: str, length: int, at: int) -> bool:
        """Look again at a time, unless the log has another length by now; one round trip. Raises: StoreUnavailable."""
        where = [keys.of_game(game_id, "log"), keys.of_shard(keys.shard_of_game(game_id), "looks")]
        return bool(self._server.run(PUT_OFF, where, [length, game_id, at]))

    def set_aside(self, game_id: str, now: int, at: int) -> None:
        """Look again at a time at a game that is due and cannot be kept time of; one round trip. Raises: StoreError."""
        where = [keys.of_shard(keys.shard_of_game(game_id), "looks")]
        self._server.run(SET_ASIDE, where, [game_id, now, at])

    @staticmethod
    def _reads(first: str, last: int, most: int) -> list[Command]:
        return [
            ("ZRANGEBYSCORE", keys.of_shard(shard, "looks"), first, last, "WITHSCORES", "LIMIT", 0, most)
            for shard in range(keys.SHARDS)
        ]
