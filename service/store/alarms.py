"""Alarms: the times at which the timekeeper must check a game, because a reminder, a vacation or a timeout may be due.

The alarms are an index spread over all shards. An append that starts, stops or changes a game's clock also sets the
game's alarm. The times come from the system clocks of the processes that append commits. The system clocks of all these
processes must agree to within a second.
"""

from __future__ import annotations

from . import keys
from .connection import Server
from .lua import script
from .transport import Command

PUT_OFF = script("put_off_alarm")
SET_ASIDE = script("set_aside_alarm")


def set_alarm(game_id: str, at: int | None) -> Command:
    """Return the command that sets a game's alarm, or removes the alarm if `at` is None.

    Run the command together with a commit.
    """
    key = keys.of_shard(keys.shard_of_game(game_id), "looks")
    return ("ZREM", key, game_id) if at is None else ("ZADD", key, at, game_id)


class Alarms:
    """The alarms of all games."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def due(self, now: int, limit: int) -> list[str]:
        """Return the games whose alarms are due, earliest alarm first, at most `limit` from each shard.

        Takes one round trip. Raises: StoreUnavailable.
        """
        answers = self._server.ask_parts(self._reads("-inf", now, limit))
        return [game for _, game in sorted(entry for answer in answers for entry in keys.games_at(answer or ()))]

    def all(self) -> list[str]:
        """Return every game whose clock is running. Takes one round trip. Raises: StoreUnavailable."""
        reads = [("ZRANGE", keys.of_shard(shard, "looks"), 0, -1, "WITHSCORES") for shard in range(keys.SHARDS)]
        return [game for answer in self._server.ask_parts(reads) for _, game in keys.games_at(answer or ())]

    def put_off(self, game_id: str, length: int, at: int) -> bool:
        """Set a game's alarm to `at`, unless the length of the game's log has changed in the meantime. Return whether
        the alarm was set.

        Takes one round trip. Raises: StoreUnavailable.
        """
        where = [keys.of_game(game_id, "log"), keys.of_shard(keys.shard_of_game(game_id), "looks")]
        return bool(self._server.run(PUT_OFF, where, [length, game_id, at]))

    def set_aside(self, game_id: str, now: int, at: int) -> None:
        """Postpone a game's alarm to `at` if the alarm is due at `now`. Call this method if the game's clock could not
        be updated.

        Takes one round trip. Raises: StoreError.
        """
        where = [keys.of_shard(keys.shard_of_game(game_id), "looks")]
        self._server.run(SET_ASIDE, where, [game_id, now, at])

    @staticmethod
    def _reads(first: str, last: int, limit: int) -> list[Command]:
        return [
            ("ZRANGEBYSCORE", keys.of_shard(shard, "looks"), first, last, "WITHSCORES", "LIMIT", 0, limit)
            for shard in range(keys.SHARDS)
        ]
