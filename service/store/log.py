"""The logs of the games: a list of commits each, to which one script appends.

What protects a log: RPUSH only ever adds, no command in this house overwrites or removes a commit, and the script
adds nothing where the length is not what the caller has seen, where the last commit cannot be read or is in a later
format, or where a seed lies beside no log. Whoever appends has loaded the log and read the events of every commit; a
fault in the middle of it is found there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from . import keys
from .commits import REVISION, CommitRecord, Commits, written
from .connection import Server, script
from .errors import CorruptLog, DamagedData, UnknownFormat
from .transport import Command

OUTBOX = 10_000
"""About how many appends a shard's outbox remembers: a reader may be away for days of a busy shard, at 1 MB each."""

APPEND = script("""
-- Appends one commit to a log, and writes in the same instant what follows from it.
--
-- KEYS  1 log, 2 seed, 3 due, 4 outbox, 5 orders, 6... the key of each further command
-- ARGV  1 the length that the caller has seen, 2 the commit, 3 the game, 4 '1' where a bot must act now or '',
--       5 how many entries the outbox keeps, 6 the channel for wake-ups, 7 what is announced there, 8 the seed or '',
--       9 the seat that the game waits for and whose standing orders may answer or '', 10 the seat that has moved by
--       its standing orders or '', 11 these orders, 12 the latest format of commits that the caller knows, then for
--       each further command its name, how many arguments follow its key, and these
-- gives the time (ms since the epoch), 1 where a bot or a seat's orders must act and 1 where the commit was there
--       already, if it was appended or found as an earlier attempt or an identical request left it; 0 the length or the
--       orders are others; -1 corrupt; -2 the last commit is in a later format
-- fails with WRONGTYPE and a key's name where that key does not hold what it should
--
-- Reason: the check of the length and everything that depends on it must not be torn apart, by another writer or by
-- the death of this one. Every key is looked at before the first write: a script that fails half-way leaves what it has
-- written. The outbox is written first, because a server without memory refuses only a first write, and only one that
-- adds; the log last. When a bot must act is told by the clock that will be asked what is overdue: this server's
-- (scripts are replicated by their effects).
local kinds = {RPUSH = 'list', HSET = 'hash', HDEL = 'hash', HINCRBY = 'hash', ZADD = 'zset', ZREM = 'zset'}
local function damaged(key, kind)
  local found = redis.call('TYPE', key).ok
  return found ~= 'none' and found ~= kind
end
local own = {'list', 'string', 'zset', 'stream', 'hash'}
for number, kind in ipairs(own) do
  if damaged(KEYS[number], kind) then
    return number <= 2 and -1 or redis.error_reply('WRONGTYPE ' .. KEYS[number])
  end
end
local expected = tonumber(ARGV[1])
local length = redis.call('LLEN', KEYS[1])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if length > expected then
  if redis.call('LINDEX', KEYS[1], expected) ~= ARGV[2] then
    return 0
  end
  local since = redis.call('ZSCORE', KEYS[3], ARGV[3])
  return {tonumber(since or now), since and 1 or 0, 1}
end
if length < expected then
  return 0
end
if expected > 0 then
  local read, last = pcall(cjson.decode, redis.call('LINDEX', KEYS[1], -1))
  if not read or type(last) ~= 'table' or type(last.revision) ~= 'number' then
    return -1
  elseif last.revision > tonumber(ARGV[12]) then
    return -2
  elseif last.seq ~= expected then
    return -1
  end
elseif redis.call('EXISTS', KEYS[2]) == 1 then
  return -1
end
if ARGV[10] ~= '' and redis.call('HGET', KEYS[5], ARGV[10]) ~= ARGV[11] then
  return 0
end
local at = 13
for key = 6, #KEYS do
  local name, arguments = ARGV[at], tonumber(ARGV[at + 1])
  local count = name == 'HINCRBY' and not damaged(KEYS[key], 'hash') and redis.call('HGET', KEYS[key], ARGV[at + 2])
  local sound = not count or count == '0' or (#count < 16 and string.match(count, '^[1-9]%d*$'))
  if damaged(KEYS[key], kinds[name]) or not sound then
    return redis.error_reply('WRONGTYPE ' .. KEYS[key])
  end
  at = at + 2 + arguments
end
local game = ARGV[3]
local function announce()
  return redis.pcall('XADD', KEYS[4], 'MAXLEN', '~', ARGV[5], '*', 'game', game, 'seq', expected + 1)
end
local announced = announce()
if type(announced) == 'table' and announced.err and string.find(announced.err, 'exhausted') then
  -- No name is left in this outbox: it begins again, and what it has lost is told from the logs.
  redis.call('DEL', KEYS[4])
  announced = announce()
end
if type(announced) == 'table' and announced.err then
  return redis.error_reply(announced.err)
end
local due = ARGV[4] ~= '' or (ARGV[9] ~= '' and redis.call('HEXISTS', KEYS[5], ARGV[9]) == 1)
if due then
  redis.call('ZADD', KEYS[3], string.format('%.0f', now), game)
else
  redis.call('ZREM', KEYS[3], game)
end
at = 13
for key = 6, #KEYS do
  local arguments = tonumber(ARGV[at + 1])
  redis.call(ARGV[at], KEYS[key], unpack(ARGV, at + 2, at + 1 + arguments))
  at = at + 2 + arguments
end
if ARGV[8] ~= '' then
  redis.call('SET', KEYS[2], ARGV[8])
end
redis.call('RPUSH', KEYS[1], ARGV[2])
redis.call('PUBLISH', ARGV[6], ARGV[7])
return {now, due and 1 or 0, 0}
""")


_REFUSED = {-1: CorruptLog, -2: UnknownFormat}
"""What the script says of a log that nothing may be appended to."""


@dataclass(frozen=True)
class Loaded:
    """A game's commits in order, and its secret seed. Neither is ever printed: commits hold hands."""

    commits: Commits = field(repr=False)
    seed: bytes = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Addition:
    """A commit that is to be appended to a log of length `expected`, and what is to be written with it.

    `due`: a bot must act next. `seed` goes with the first commit and with no other. The `players` are woken, `writes`
    are commands that keep indexes in the game's shard, each with its key as its first argument. `asked` is the seat
    that the game waits for, if it has a player; `by_orders` are the seat that has moved by standing orders, and these.
    """

    game: str
    expected: int
    commit: CommitRecord
    due: bool = False
    seed: bytes | None = None
    players: Sequence[str] = ()
    writes: Sequence[Command] = ()
    asked: int | None = None
    by_orders: tuple[int, bytes] | None = None

    def __post_init__(self) -> None:
        """Raises: ValueError where something does not follow on the expected length."""
        if self.commit["seq"] != self.expected + 1 or (self.seed is None) != (self.expected > 0):
            raise ValueError("a commit's seq follows the expected length, and a seed goes with the first")


class Appended(NamedTuple):
    """When a commit was appended, by the server's clock (ms since the epoch); `due`: since then somebody must act.

    Somebody is a bot, or the worker for a seat that has standing orders. `repeated`: an identical request, of the same
    millisecond, has appended the same bytes before.
    """

    at: int
    due: bool
    repeated: bool = False


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
        except DamagedData as error:
            raise CorruptLog(game_id) from error
        if not rows and seed is None:
            return None
        if not rows or seed is None:
            raise CorruptLog(game_id)
        return Loaded(Commits(game_id, rows), seed)

    def append(self, addition: Addition) -> Appended | None:
        """Append a commit to a log of length `expected`; None, and nothing written, when it has another length.

        It is None, too, where the commit was made by standing orders that are others now. One round trip.

        Raises: CorruptLog, DamagedData, StoreUnavailable (the commit may have been written: look for its key before
        asking again).
        """
        result, sent_once = self._server.run_noting(APPEND, *packed(addition))
        if result in (*_REFUSED,):
            raise _REFUSED[result](addition.game)
        if not result:
            return None
        at, due, found = result
        return Appended(int(at), bool(due), bool(found) and sent_once)

    def lengths(self, games: Sequence[str]) -> list[int]:
        """Return how many commits each of some logs holds, 0 where one cannot be read; one round trip."""
        return [length or 0 for length in self._server.ask_parts(("LLEN", keys.of_game(game, "log")) for game in games)]

    def length(self, game_id: str) -> int:
        """Return how many commits a log holds, 0 when there is no such game; one round trip."""
        try:
            return int(self._server.ask("LLEN", keys.of_game(game_id, "log")))
        except DamagedData as error:
            raise CorruptLog(game_id) from error


def packed(addition: Addition) -> tuple[list[str], list[Any]]:
    """Return the KEYS and ARGV with which the script makes an addition."""
    game, seq = addition.game, addition.commit["seq"]
    shard = keys.shard_of_game(game)
    own = [keys.of_game(game, "log"), keys.of_game(game, "seed")]
    own += [keys.of_shard(shard, "due"), keys.of_shard(shard, "outbox"), keys.of_game(game, "orders")]
    told = " ".join((game, str(seq), *addition.players))
    due, seed = "1" if addition.due else "", addition.seed or b""
    args = [addition.expected, written(addition.commit), game, due, OUTBOX, keys.WAKES, told, seed]
    seat, orders = addition.by_orders or ("", b"")
    args += ["" if addition.asked is None else addition.asked, seat, orders, REVISION]
    for name, _, *rest in addition.writes:
        args += [name, len(rest), *rest]
    return [*own, *(write[1] for write in addition.writes)], args
