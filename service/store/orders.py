"""Standing orders: what stands for each seat of a game, and what has become of what stood.

They lie beside the log and never in it. An append looks whether the seat that it asks has any (`log.APPEND`); so what
stands and what has been are kept apart, and a seat for which nothing stands has no orders at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from . import keys
from .connection import Server, script
from .transport import Command

CHANGE = script("""
-- Writes what stands for a seat and what has become of it, if both are what the caller has read, and says whether the
-- game's turn is due.
--
-- KEYS  1 log, 2 due, 3 orders, 4 orders-history
-- ARGV  1 the length of the log that was read, 2 the game, 3 the seat, 4 the orders that were read or '', 5 the history
--       that was read or '', 6 the orders to write or '', 7 the history to write or '', 8 '1' where the game waits for
--       the seat and its orders must answer now, '0' where it waits for the seat and they say nothing, else ''
-- gives the time (ms since the epoch) if it was written or found as an earlier attempt of this very change left it; 0
--       the log, the orders or the history are others
--
-- Reason: orders are given, answered and withdrawn at the same moment, and are for the position that they were given
-- in. A turn at which nothing stands, or at which it says nothing, must not be asked for again and again.
local function kept(key)
  return redis.call('HGET', key, ARGV[3]) or ''
end
local function keep(key, text)
  if text == '' then
    redis.call('HDEL', key, ARGV[3])
  else
    redis.call('HSET', key, ARGV[3], text)
  end
end
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return 0
end
local orders, history = kept(KEYS[3]), kept(KEYS[4])
local read = orders == ARGV[4] and history == ARGV[5]
local written = orders == ARGV[6] and history == ARGV[7]
if not read and not written then
  return 0
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
keep(KEYS[3], ARGV[6])
keep(KEYS[4], ARGV[7])
if ARGV[8] == '1' then
  redis.call('ZADD', KEYS[2], string.format('%.0f', now), ARGV[2])
elseif ARGV[8] == '0' then
  redis.call('ZREM', KEYS[2], ARGV[2])
end
return now
""")


@dataclass(frozen=True)
class Kept:
    """What is kept for a seat, as it is written; b"" where nothing is. Never printed: it names cards."""

    orders: bytes = field(default=b"", repr=False)
    history: bytes = field(default=b"", repr=False)


def written(game_id: str, seat: int, kept: Kept) -> list[Command]:
    """Return what writes a seat's orders and their history, to be written with the commit that they make."""
    fields = (("orders", kept.orders), ("orders-history", kept.history))
    return [_write(keys.of_game(game_id, kind), seat, text) for kind, text in fields]


def withdrawn(game_id: str, seats: Iterable[int]) -> list[Command]:
    """Return what withdraws the orders of some seats; what has become of those before stays readable."""
    return [("HDEL", keys.of_game(game_id, "orders"), seat) for seat in seats]


def forgotten(game_id: str, seats: Iterable[int]) -> list[Command]:
    """Return what withdraws the orders of some seats, and all that is known of earlier ones."""
    kinds = ("orders", "orders-history")
    return [("HDEL", keys.of_game(game_id, kind), seat) for seat in seats for kind in kinds]


def _write(key: str, seat: int, text: bytes) -> Command:
    return ("HSET", key, seat, text) if text else ("HDEL", key, seat)


class Orders:
    """The standing orders of all games."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they lie."""
        self._server = server

    def read(self, game_id: str, seat: int) -> Kept:
        """Return what is kept for a seat; one round trip. Raises: StoreUnavailable."""
        reads = [("HGET", keys.of_game(game_id, kind), seat) for kind in ("orders", "orders-history")]
        orders, history = self._server.ask_all(reads)
        return Kept(orders or b"", history or b"")

    def change(self, game_id: str, seat: int, length: int, before: Kept, after: Kept, act: bool | None) -> int | None:
        """Write what is kept for a seat, unless it or the log's length are others than before; None where they are.

        `act` tells whether the orders must answer now, and is None where the game does not wait for the seat. Returns
        the time (ms since the epoch, by the server's clock). One round trip. Raises: StoreUnavailable.
        """
        shard = keys.of_shard(keys.shard_of_game(game_id), "due")
        where = [keys.of_game(game_id, "log"), shard]
        where += [keys.of_game(game_id, kind) for kind in ("orders", "orders-history")]
        told = "" if act is None else str(int(act))
        texts = [before.orders, before.history, after.orders, after.history]
        return self._server.run(CHANGE, where, [length, game_id, seat, *texts, told]) or None
