"""The logs of the games: a list of commits each, to which one script appends.

What protects a log: RPUSH only ever adds, no command in this house overwrites or removes a commit, and the script
adds nothing where the length is not what the caller has seen, where the last commit cannot be read, or where a seed
lies beside no log. `load` reads every commit, and whoever appends has loaded; a fault in the middle of a log is found
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import orjson
import redis

from . import keys
from .connection import Server, script
from .errors import CorruptLog
from .lists import Listing

Commit = dict[str, Any]
"""One append to a log: seq, at, by, key, fingerprint, revision and events (records)."""

_members = itemgetter("seq", "at", "by", "key", "fingerprint", "revision", "events")
"""Returns what a commit consists of, or raises."""

OUTBOX = 10_000
"""About how many appends a shard's outbox remembers: a reader may be away for days of a busy shard, at 1 MB each."""

APPEND = script("""
-- Appends one commit to a log, and writes in the same instant what follows from it.
--
-- KEYS  1 log, 2 seed, 3 due, 4 outbox, 5 open, 6 running, 7 finished, 8 summaries,
--       9... the `feed` lists of ARGV[8] players whom the commit concerns, then
--       the `mine` lists of ARGV[13] players to whom the game is listed, then of those from whom it is taken
-- ARGV  1 the length that the caller has seen, 2 the commit, 3 the game, 4 '1' where a bot must act now or '',
--       5 how many entries the outbox keeps, 6 the channel for wake-ups, 7 what is announced there,
--       8 how many players the commit concerns, 9 the seed or '', 10 the status or '' where no list changes,
--       11 the summary, 12 the time of the change, 13 to how many players the game is listed
-- gives the time (ms since the epoch) if it was appended, or found as an earlier attempt of this very append left it;
--       0 the length is another; -1 corrupt
--
-- Reason: the check of the length and everything that depends on it must not be torn apart, by another writer or by
-- the death of this one. The log is written last, so that an index that cannot be written leaves the log alone; the
-- outbox first, because a server without memory refuses only a first write, and only one that adds. When a bot must act
-- is told by the clock that will be asked what is overdue: this server's (scripts are replicated by their effects).
local expected = tonumber(ARGV[1])
local length = redis.call('LLEN', KEYS[1])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if length > expected then
  if redis.call('LINDEX', KEYS[1], expected) ~= ARGV[2] then
    return 0
  end
  return tonumber(redis.call('ZSCORE', KEYS[3], ARGV[3]) or now)
end
if length < expected then
  return 0
end
if expected > 0 then
  local read, last = pcall(cjson.decode, redis.call('LINDEX', KEYS[1], -1))
  if not read or type(last) ~= 'table' or last.seq ~= expected then
    return -1
  end
elseif redis.call('EXISTS', KEYS[2]) == 1 then
  return -1
end
local game = ARGV[3]
redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[5], '*', 'game', game, 'seq', expected + 1)
local listed = 9 + tonumber(ARGV[8])
for i = 9, listed - 1 do
  redis.call('RPUSH', KEYS[i], game .. ' ' .. (expected + 1))
end
if ARGV[4] == '' then
  redis.call('ZREM', KEYS[3], game)
else
  redis.call('ZADD', KEYS[3], string.format('%.0f', now), game)
end
if ARGV[10] ~= '' then
  for place, status in ipairs({'open', 'running', 'finished'}) do
    if status == ARGV[10] then
      redis.call('ZADD', KEYS[4 + place], ARGV[12], game)
    else
      redis.call('ZREM', KEYS[4 + place], game)
    end
  end
  redis.call('HSET', KEYS[8], game, ARGV[11])
  for i = listed, #KEYS do
    if i < listed + tonumber(ARGV[13]) then
      redis.call('ZADD', KEYS[i], ARGV[12], game)
    else
      redis.call('ZREM', KEYS[i], game)
    end
  end
end
if ARGV[9] ~= '' then
  redis.call('SET', KEYS[2], ARGV[9])
end
redis.call('RPUSH', KEYS[1], ARGV[2])
redis.call('PUBLISH', ARGV[6], ARGV[7])
return now
""")


@dataclass(frozen=True)
class Loaded:
    """A game's commits in order, and its secret seed. Neither is ever printed: commits hold hands."""

    commits: list[Commit] = field(repr=False)
    seed: bytes = field(repr=False)


class Log:
    """The logs of all games."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they lie."""
        self._server = server

    def load(self, game_id: str) -> Loaded | None:
        """Return a game's commits and seed, or None when there is no such game; one round trip.

        Raises: CorruptLog, StoreUnavailable.
        """
        if not keys.is_game_id(game_id):
            return None
        reads = [("LRANGE", keys.of_game(game_id, "log"), 0, -1), ("GET", keys.of_game(game_id, "seed"))]
        try:
            rows, seed = self._server.ask_all(reads)
        except redis.ResponseError as error:
            raise _meaning(error, game_id) from error
        return _read(game_id, rows, seed) if rows or seed is not None else None

    def append(
        self,
        game_id: str,
        expected: int,
        commit: Commit,
        *,
        due: bool,
        listing: Listing | None,
        seed: bytes | None,
        players: Sequence[str] = (),
    ) -> int | None:
        """Append a commit to a log of length `expected`; None, and nothing written, when it has another length.

        Returns when it was appended, by the server's clock (ms since the epoch): with `due`, that is since when a bot
        must act. `listing` is what lists show from now on, None when they show what they did; `seed` goes with the
        first commit and with no other. It is added to the feeds of `players`. One round trip.

        Raises: CorruptLog, StoreUnavailable (the commit may have been written: look for its key before asking again).
        """
        if commit["seq"] != expected + 1 or (seed is None) != (expected > 0):
            raise ValueError("a commit's seq follows the expected length, and a seed goes with the first")
        args = [expected, orjson.dumps(commit), game_id, "1" if due else "", OUTBOX, keys.WAKES]
        told = [" ".join((game_id, str(commit["seq"]), *players)), len(players), seed or b""]
        listed, list_args = _listed(game_id, listing)
        written = [*_own_keys(game_id), *_of_players(game_id, "feed", players), *listed]
        try:
            result = self._server.run(APPEND, written, [*args, *told, *list_args])
        except redis.ResponseError as error:
            raise _meaning(error, game_id) from error
        if result == -1:
            raise CorruptLog(game_id)
        return int(result) or None

    def length(self, game_id: str) -> int:
        """Return how many commits a log holds, 0 when there is no such game; one round trip."""
        try:
            return int(self._server.ask("LLEN", keys.of_game(game_id, "log")))
        except redis.ResponseError as error:
            raise _meaning(error, game_id) from error


def _own_keys(game_id: str) -> list[str]:
    shard = keys.shard_of_game(game_id)
    of_shard = [keys.of_shard(shard, name) for name in ("due", "outbox", *keys.LISTED, "summaries")]
    return [keys.of_game(game_id, "log"), keys.of_game(game_id, "seed"), *of_shard]


def _of_players(game_id: str, kind: str, players: Iterable[str]) -> list[str]:
    shard = keys.shard_of_game(game_id)
    return [keys.of_shard(shard, f"{kind}:{player}") for player in players]


def _listed(game_id: str, listing: Listing | None) -> tuple[list[str], list[Any]]:
    """Return the `mine` lists that change, and ARGV[10] to ARGV[13]."""
    if listing is None:
        return [], ["", "", "", 0]
    mine = _of_players(game_id, "mine", (*listing.players, *listing.left))
    return mine, [listing.status, orjson.dumps(listing.summary), listing.at, len(listing.players)]


def _read(game_id: str, rows: Sequence[bytes], seed: bytes | None) -> Loaded:
    try:
        commits = orjson.loads(b"[%b]" % b",".join(rows))
        numbers = [members[0] for members in map(_members, commits)]
    except (orjson.JSONDecodeError, LookupError, TypeError) as error:
        raise CorruptLog(game_id) from error
    if seed is None or not rows or numbers != list(range(1, len(rows) + 1)):
        raise CorruptLog(game_id)
    return Loaded(commits, seed)


def _meaning(error: redis.ResponseError, game_id: str) -> Exception:
    return CorruptLog(game_id) if "WRONGTYPE" in str(error) else error
