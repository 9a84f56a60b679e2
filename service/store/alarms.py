"""Alarms: when the timekeeper must look at a game, because a reminder, a vacation or a timeout may be due.

An index over all shards, written by the append that starts, stops or moves a game's clock. Times in it are those of the
processes that append: their clocks must agree to within a second.
"""

from __future__ import annotations

from . import keys
from .connection import Server, script
from .transport import Command

PUT_OFF = script("""
-- Puts off the next look at a game that had nothing to say, unless it has gone on meanwhile.
--
-- KEYS  1 log, 2 looks
-- ARGV  1 the length of the log that was looked at, 2 the game, 3 when to look again (ms since the epoch)
-- gives 1 put off, 0 the game has gone on
--
-- Reason: a game that goes on says itself when it is to be looked at.
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return 0
end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
return 1
""")


SET_ASIDE = script("""
-- Puts off the next look at a game that nothing can be done for, whatever is wrong with its log.
--
-- KEYS  1 looks
-- ARGV  1 the game, 2 the time now, 3 when to look again (ms since the epoch)
-- gives 1 put off, 0 it is not to be looked at now
--
-- Reason: a game that has gone on meanwhile has said itself when it is to be looked at.
local at = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not at or tonumber(at) > tonumber(ARGV[2]) then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
return 1
""")


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
