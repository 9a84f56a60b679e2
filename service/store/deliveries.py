"""Deliveries: what a webhook is to be told, in which order, and what came of it.

The deliveries of one webhook about one game are a *lane*: they wait in a list, and only the first is tried. A lane that
is to be tried at some time stands in its shard's `lanes`, one that is being tried in `taken`, beside the process that
tries it; where that process is no longer at work, the lane is given back. A lane of a webhook that is not active stands
in neither, until the webhook is. Bodies are not kept: they are made anew from the log for every try.

Times are those of the server's own clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from . import keys
from .answers import MARKS
from .connection import Server, script
from .rows import objects, whole
from .transport import Command
from .webhooks import FIELDS, Webhook, from_values

KEPT = 1_000
"""How many deliveries that are over a webhook remembers."""
WOKEN = 100
"""How many lanes a success wakes at once; the next success wakes as many."""
FORGOTTEN = 2 * 24 * 3_600_000
"""Milliseconds after which a failure does not count any more: no two tries of one delivery are further apart."""
GRACE = 3_000
"""Milliseconds in which every process has learnt of one that has come: more than passes between two beats."""
NO_GAME = "-"
"""Stands in the place of a game's id, for what concerns none."""
PARK = -1
"""In how many ms a delivery is tried that waits until its webhook is active and verified."""
_SHOWN = ("number", "type", "game", "version", "sequence", "at", "status", "tries")
"""Members of every delivery."""
WAITING, DELIVERED, FAILED, OVER = "waiting", "delivered", "failed", "over"
"""What has become of a delivery; `over` is that of a turn that was over before anybody took it."""

_ADDED = """
local function add(delivery, game, deliveries, sequences, waiting, lane, webhook)
  local number = redis.call('HINCRBY', webhook, 'made', 1)
  redis.call('RPUSH', lane, number)
  redis.call('SADD', waiting, game)
  local sequence = redis.call('HINCRBY', sequences, game, 1)
  local head = '{"number":' .. number .. ',"sequence":' .. sequence .. ','
  -- Written last: a number without a delivery is passed over.
  redis.call('HSET', deliveries, number, head .. string.sub(delivery, 2))
  return number
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function at(lanes, name, time)
  redis.call('ZADD', lanes, string.format('%.0f', time), name)
end
"""

PLAN = (
    MARKS
    + _ADDED
    + """
-- Puts deliveries at the end of a lane.
--
-- KEYS  1 webhook, 2 planned, 3 sequences, 4 deliveries, 5 waiting, 6 lane, 7 lanes, 8 taken, 9 the claim of the
--       request that asks for this, if it may be repeated
-- ARGV  1 the game, 2 the name of the lane, 3 the commit up to which it was planned as the caller has seen it, or ''
--       4 up to which it is planned now, or '' where no commit tells of this, 5... deliveries (JSON objects)
-- gives the number of the last delivery; 0 where somebody else has planned meanwhile; -1 where there is no such webhook
--
-- Reason: what two processes plan at once, or one plans again after its death, must be delivered once, in order. A lane
-- in which something waits and that nobody is to try would wait for ever. Every key is looked at before the first
-- write, and up to which commit the game is planned is written last: what cannot be written is planned again.
for number, kind in ipairs({'hash', 'hash', 'hash', 'hash', 'set', 'list', 'zset', 'hash'}) do
  local found = redis.call('TYPE', KEYS[number]).ok
  if found ~= 'none' and found ~= kind then
    return redis.error_reply('WRONGTYPE ' .. KEYS[number])
  end
end
if redis.call('HEXISTS', KEYS[1], 'player') == 0 then
  return -1
end
local earlier = mark(KEYS[9], 'planned')
if earlier then
  return tonumber(earlier)
end
local planned = string.match(redis.call('HGET', KEYS[2], ARGV[1]) or '', '^%d+$') or ''
if ARGV[4] ~= '' and planned ~= ARGV[3] then
  return 0
end
local number = -1
for i = 5, #ARGV do
  number = add(ARGV[i], ARGV[1], KEYS[4], KEYS[3], KEYS[5], KEYS[6], KEYS[1])
end
local tried = redis.call('HEXISTS', KEYS[8], ARGV[2]) == 1
local stands = tried or (ARGV[4] ~= '' and redis.call('ZSCORE', KEYS[7], ARGV[2]))
if number > 0 and not stands then
  at(KEYS[7], ARGV[2], now)
end
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
end
set_mark(KEYS[9], 'planned', number)
return number
"""
)

SET_BACK = script("""
-- Says that a game was planned up to another commit than is written.
--
-- KEYS  1 planned
-- ARGV  1 the game, 2 up to which commit it was planned as the caller has seen it, 3 up to which the log goes
-- gives 1 set back, 0 somebody else has planned meanwhile
--
-- Reason: what was planned up to a commit that is not in the log would keep that commit from being told when it comes.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
""")

TAKE = """
-- Gives a process the lanes of a shard that are to be tried now.
--
-- KEYS  1 lanes, 2 taken
-- ARGV  1 the process, 2 how many at most, 3 '1' to look through those that were taken before, or '',
--       4 for how many ms a process may be unknown that has taken a lane, 5... those that are known to be at work
-- gives the names of the lanes; with ARGV[3] also of those that the process was given before
--
-- Reason: two processes must not try one lane at the same time, and what a dead one had taken must go on. Who came a
-- moment ago is not known to everybody yet. A row that cannot be read belongs to nobody.
for number, kind in ipairs({'zset', 'hash'}) do
  local found = redis.call('TYPE', KEYS[number]).ok
  if found ~= 'none' and found ~= kind then
    return redis.error_reply('WRONGTYPE ' .. KEYS[number])
  end
end
local clock = redis.call('TIME')
local time = clock[1] * 1000 + math.floor(clock[2] / 1000)
local now = string.format('%.0f', time)
local mine = {}
if ARGV[3] == '1' then
  local working = {}
  for i = 5, #ARGV do
    working[ARGV[i]] = true
  end
  local taken = redis.call('HGETALL', KEYS[2])
  for i = 1, #taken, 2 do
    local process, since = string.match(taken[i + 1], '^(.+) (%d+)$')
    if process == ARGV[1] then
      table.insert(mine, taken[i])
    elseif not since or (not working[process] and time - since >= tonumber(ARGV[4])) then
      redis.call('HDEL', KEYS[2], taken[i])
      redis.call('ZADD', KEYS[1], now, taken[i])
    end
  end
end
for _, lane in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[2])) do
  redis.call('ZREM', KEYS[1], lane)
  redis.call('HSET', KEYS[2], lane, ARGV[1] .. ' ' .. now)
  table.insert(mine, lane)
end
return mine
"""

LOOK = script("""
-- Reads the first delivery of a lane, and the webhook that it is for.
--
-- KEYS  1 webhook, 2 lane, 3 deliveries
-- ARGV  names of the fields of a webhook
-- gives the values of these fields, and the delivery or nothing
--
-- Reason: a delivery that waits is known by its place in the lane only, and both lie in one shard.
local number = redis.call('LINDEX', KEYS[2], 0)
while number and redis.call('HEXISTS', KEYS[3], number) == 0 do
  redis.call('LPOP', KEYS[2])
  number = redis.call('LINDEX', KEYS[2], 0)
end
return {redis.call('HMGET', KEYS[1], unpack(ARGV)), number and redis.call('HGET', KEYS[3], number)}
""")

SETTLE = script(
    _ADDED
    + """
-- Writes what came of trying the first delivery of a lane.
--
-- KEYS  1 webhook, 2 deliveries, 3 sequences, 4 told, 5 waiting, 6 waking, 7 lane, 8 lanes, 9 taken, 10 held
-- ARGV  1 the game, 2 the name of the lane, 3 the process, 4 the delivery's number, 5 the delivery (JSON),
--       6 'again' where it is to be tried once more, 'park' where it waits for its webhook, '' where it is over,
--       7 in how many ms, 8 '1' where its endpoint has asked for this time, 9 how the endpoint did: 'well', 'ill',
--       'gone' or '', 10 the url that was asked, 11 after how many ms of doing ill it is disabled,
--       12 after how many ms a failure is forgotten, 13 how many deliveries that are over are remembered,
--       14 how many lanes a success wakes at once, 15 a delivery that follows from this one, or ''
-- gives 1 where the process has the lane still, and something waits in it; 0 where it has it no longer
--
-- Reason: the order of a lane, the log of its deliveries and the health of the endpoint must not contradict each other
-- whenever anybody dies. An attempt whose answer was lost may be made again: its number is no longer the first then.
local webhook, waking, lane, lanes, taken, held = KEYS[1], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local name, health = ARGV[2], ARGV[9]
local holder = redis.call('HGET', taken, name)
if not holder or string.match(holder, '^(.+) %d+$') ~= ARGV[3] then
  return 0
end
local function let_go()
  redis.call('HDEL', taken, name)
  return 0
end
if redis.call('HEXISTS', webhook, 'player') == 0 then
  redis.call('DEL', lane)
  return let_go()
end
local first = redis.call('LINDEX', lane, 0) == ARGV[4]
if first then
  redis.call('HSET', KEYS[2], ARGV[4], ARGV[5])
  redis.call('HDEL', held, name)
  if ARGV[6] == '' then
    redis.call('LPOP', lane)
    redis.call('RPUSH', KEYS[4], ARGV[4])
    while redis.call('LLEN', KEYS[4]) > tonumber(ARGV[13]) do
      redis.call('HDEL', KEYS[2], redis.call('LPOP', KEYS[4]))
    end
  end
  if ARGV[15] ~= '' then
    add(ARGV[15], ARGV[1], KEYS[2], KEYS[3], KEYS[5], lane, webhook)
  end
  local same = redis.call('HGET', webhook, 'url') == ARGV[10]
  if same and health == 'well' then
    if redis.call('HDEL', webhook, 'failing', 'failed') > 0 then
      redis.call('SUNIONSTORE', waking, KEYS[5])
    end
    for _, game in ipairs(redis.call('SPOP', waking, ARGV[14])) do
      local other = string.match(name, '^[^ ]+') .. ' ' .. game
      if redis.call('ZSCORE', lanes, other) and now >= tonumber(redis.call('HGET', held, other) or 0) then
        at(lanes, other, now)
      end
    end
  elseif same and health ~= '' then
    local failed = redis.call('HGET', webhook, 'failed')
    if failed and now - failed > tonumber(ARGV[12]) then
      redis.call('HDEL', webhook, 'failing')
    end
    redis.call('HSETNX', webhook, 'failing', string.format('%.0f', now))
    redis.call('HSET', webhook, 'failed', string.format('%.0f', now))
    if health == 'gone' or now - redis.call('HGET', webhook, 'failing') >= tonumber(ARGV[11]) then
      redis.call('HSET', webhook, 'active', '0', 'disabled', health == 'gone' and 'gone' or 'failing')
    end
  end
end
if redis.call('LLEN', lane) == 0 then
  redis.call('SREM', KEYS[5], ARGV[1])
  return let_go()
end
if redis.call('HGET', webhook, 'active') ~= '1' then
  return let_go()
end
if ARGV[6] == 'park' and redis.call('HEXISTS', webhook, 'verified') == 0 then
  return let_go()
end
if ARGV[6] == 'again' and first then
  at(lanes, name, now + tonumber(ARGV[7]))
  if ARGV[8] == '1' then
    redis.call('HSET', held, name, string.format('%.0f', now + tonumber(ARGV[7])))
  end
  return let_go()
end
return 1
"""
)

REPEAT = script(
    MARKS
    + """
-- Lets deliveries wait once more, behind those that wait already; one that waits is tried at once.
--
-- KEYS  1 deliveries, 2 told, 3 waiting, 4 lanes, 5 taken, 6... the lane of each delivery, and at the end the claim of
--       the request if it may be repeated
-- ARGV  1 '1' where there is a claim or '', 2... of each delivery its number, itself (JSON), its game and the name of
--       its lane
-- gives how many wait: those that have not been forgotten
--
-- Reason: a delivery must stand in its lane once, and not be forgotten while it waits. A request that is repeated must
-- not send twice what was delivered in between.
local claim = ARGV[1] == '1' and KEYS[#KEYS] or nil
local earlier = mark(claim, 'repeated')
if earlier then
  return tonumber(earlier)
end
local clock = redis.call('TIME')
local now = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
local waiting = 0
for i = 1, (#ARGV - 1) / 4 do
  local number, delivery, game, name = unpack(ARGV, 4 * i - 2, 4 * i + 1)
  if redis.call('HEXISTS', KEYS[1], number) == 1 then
    waiting = waiting + 1
    if redis.call('LREM', KEYS[2], 0, number) > 0 then
      redis.call('HSET', KEYS[1], number, delivery)
      redis.call('RPUSH', KEYS[5 + i], number)
      redis.call('SADD', KEYS[3], game)
    end
    if redis.call('HEXISTS', KEYS[5], name) == 0 then
      redis.call('ZADD', KEYS[4], now, name)
    end
  end
end
set_mark(claim, 'repeated', waiting)
return waiting
"""
)

RESUME = script("""
-- Lets lanes be tried now that nobody is trying.
--
-- KEYS  1 lanes, 2 taken
-- ARGV  the names of the lanes
-- gives 1
--
-- Reason: a lane must not be tried twice at once.
local clock = redis.call('TIME')
local now = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
for _, lane in ipairs(ARGV) do
  if redis.call('HEXISTS', KEYS[2], lane) == 0 then
    redis.call('ZADD', KEYS[1], now, lane)
  end
end
return 1
""")

BEAT = script("""
-- Says that a process delivers, or that it does no longer.
--
-- KEYS  1 deliverers
-- ARGV  1 the process, 2 for how many ms it is believed, or 0 where it ends
-- gives all that are at work
--
-- Reason: who is at work is told by one clock; if that is put back, nobody is believed for longer all the same. What is
-- not a list of processes is worth nothing, and without one nobody would deliver.
local found = redis.call('TYPE', KEYS[1]).ok
if found ~= 'zset' and found ~= 'none' then
  redis.call('DEL', KEYS[1])
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if ARGV[2] == '0' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('(%.0f', now + ARGV[2]), '+inf')
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
return redis.call('ZRANGE', KEYS[1], 0, -1)
""")


class Lane(NamedTuple):
    """The deliveries of one webhook about one game (or `NO_GAME`), in order."""

    webhook: str
    game: str

    @property
    def name(self) -> str:
        """How `lanes` and `taken` call it."""
        return f"{self.webhook} {self.game}"


class Plan(NamedTuple):
    """Deliveries for the end of a lane.

    `before` is up to which commit the lane's game was planned so far, `upto` is up to which it is with these, None
    where no commit tells of them.
    """

    lane: Lane
    before: int | None
    upto: int | None
    deliveries: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class First:
    """The first delivery of a lane, and the webhook that it is for; either may be gone."""

    webhook: Webhook | None
    delivery: dict[str, Any] | None = field(repr=False)


class Outcome(NamedTuple):
    """What came of a try: the delivery as it is kept from now on, and what follows from it.

    `again` is in how many ms it is tried once more, None where it is over, `PARK` where it waits for its webhook;
    `held` says that its endpoint has asked for this time. `health` is how the endpoint at `url` did: well, ill, gone,
    or "" where it was not asked. `follows` is a delivery that goes to the end of the lane.
    """

    delivery: Mapping[str, Any]
    again: int | None = None
    held: bool = False
    health: str = ""
    url: str = ""
    follows: Mapping[str, Any] | None = None


class Deliveries:
    """The deliveries of all webhooks, each in the shard of its webhook."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they are kept."""
        self._server = server

    def planned(self, webhooks: Sequence[str], game: str) -> list[int | None]:
        """Return for each webhook up to which commit a game was planned, None where it never was; one round trip."""
        found = self._server.ask_parts([("HGET", keys.of_webhook(webhook, "planned"), game) for webhook in webhooks])
        return [whole(seq) for seq in found]

    def set_back(self, webhook: str, game: str, before: int, upto: int) -> bool:
        """Say that a game was planned only up to a commit; False where it is otherwise by now. One round trip."""
        return bool(self._server.run(SET_BACK, [keys.of_webhook(webhook, "planned")], [game, before, upto]))

    def plan(self, plans: Iterable[Plan], claim: str | None = None) -> list[int]:
        """Put deliveries at the ends of their lanes, and return for each lane the number of the last; one round trip.

        0, and nothing done, where somebody else has planned meanwhile; -1 where the webhook is gone or damaged, or the
        plan has no deliveries: then it only says up to which commit the game is planned. With the `claim` of a request
        that may be repeated, the one plan that it asks for is made once.
        """
        commands: list[Command] = []
        for lane, before, upto, deliveries in plans:
            wanted = _keys(lane, ("webhook", "planned", "sequences", "deliveries", "waiting", f"lane:{lane.game}"))
            wanted += [claim] if claim else []
            said = [orjson.dumps(delivery) for delivery in deliveries]
            commands.append(
                ("EVAL", PLAN, len(wanted), *wanted, lane.game, lane.name, *_or_nothing(before, upto), *said)
            )
        return [-1 if number is None else number for number in self._server.ask_parts(commands)] if commands else []

    def take(
        self,
        process: str,
        working: Sequence[str],
        shards: Mapping[int, int],
        *,
        thoroughly: bool = True,
        grace: int = GRACE,
    ) -> list[Lane]:
        """Take the lanes that are to be tried now, and return them; one round trip.

        `shards` says how many at most in each shard, `working` which processes are known to be at work. Where it is
        done `thoroughly`, what others took `grace` ms ago is given back, and all that the process has is returned.
        """
        commands: list[Command] = []
        for shard, most in shards.items():
            wanted = [keys.of_shard(shard, kind) for kind in ("lanes", "taken")]
            said = (process, most, "1" if thoroughly else "", grace, *working)
            commands.append(("EVAL", TAKE, len(wanted), *wanted, *said))
        found = self._server.ask_parts(commands) if commands else []
        return [lane for names in found for name in names or () if (lane := _lane(name)) is not None]

    def first(self, lane: Lane) -> First:
        """Return what is to be tried in a lane; one round trip."""
        wanted = _keys(lane, ("webhook", f"lane:{lane.game}", "deliveries"), ())
        values, row = self._server.run(LOOK, wanted, FIELDS)
        return First(from_values(lane.webhook, values), orjson.loads(row) if row else None)

    def settle(self, lane: Lane, process: str, outcome: Outcome, patience: int) -> bool:
        """Write what came of a try; False when the process has the lane no longer. One round trip.

        `patience` is after how many ms in which nothing was taken a webhook is disabled.
        """
        follows = b"" if outcome.follows is None else orjson.dumps(outcome.follows)
        again = {None: ("", 0), PARK: ("park", 0)}.get(outcome.again, ("again", outcome.again))
        number = outcome.delivery.get("number", "")
        said = [lane.game, lane.name, process, number, orjson.dumps(outcome.delivery), *again]
        kinds = ("webhook", "deliveries", "sequences", "told", "waiting", "waking", f"lane:{lane.game}")
        wanted = _keys(lane, kinds, ("lanes", "taken", "held"))
        did = [int(outcome.held), outcome.health, outcome.url]
        args = [*said, *did, patience, FORGOTTEN, KEPT, WOKEN, follows]
        return bool(self._server.run(SETTLE, wanted, args))

    def page(self, webhook: str, before: int | None, limit: int) -> tuple[list[dict[str, Any]], int | None]:
        """Return at most `limit` deliveries, newest first, and the number before which the next page begins.

        Two round trips.
        """
        kept = keys.of_webhook(webhook, "deliveries")
        found = map(whole, self._server.ask("HKEYS", kept))
        numbers = sorted((number for number in found if number is not None), reverse=True)
        older = [number for number in numbers if before is None or number < before]
        shown = older[:limit]
        rows = self._server.ask("HMGET", kept, *shown) if shown else []
        return objects(rows, *_SHOWN), shown[-1] if len(older) > limit else None

    def some(self, webhook: str, first: int, last: int) -> list[dict[str, Any]]:
        """Return the deliveries that are remembered, from one number to another; one round trip."""
        wanted = range(first, last + 1)
        rows = self._server.ask("HMGET", keys.of_webhook(webhook, "deliveries"), *wanted) if wanted else []
        return objects(rows, *_SHOWN)

    def repeat(self, webhook: str, deliveries: Iterable[Mapping[str, Any]], claim: str | None = None) -> int:
        """Let deliveries wait once more, and return how many do; one round trip.

        With the `claim` of a request that may be repeated, they do so once for it.
        """
        wanted = _keys(Lane(webhook, NO_GAME), ("deliveries", "told", "waiting"))
        args: list[Any] = ["1" if claim else ""]
        for delivery in deliveries:
            lane = Lane(webhook, delivery["game"] or NO_GAME)
            wanted.append(keys.of_webhook(webhook, f"lane:{lane.game}"))
            args += [delivery["number"], orjson.dumps(delivery), lane.game, lane.name]
        if len(args) == 1 and not claim:
            return 0
        return int(self._server.run(REPEAT, [*wanted, *([claim] if claim else [])], args))

    def resume(self, webhook: str) -> None:
        """Let everything that waits for a webhook be tried at once; two round trips."""
        games = self._server.ask("SMEMBERS", keys.of_webhook(webhook, "waiting"))
        shard = keys.shard_of_webhook(webhook)
        wanted = [keys.of_shard(shard, kind) for kind in ("lanes", "taken")]
        self._server.run(RESUME, wanted, [Lane(webhook, game.decode()).name for game in games])

    def beat(self, process: str, patience: int) -> list[str]:
        """Say that a process is at work for so many ms, and return all that are; one round trip."""
        return [name.decode() for name in self._server.run(BEAT, [keys.of_shard(0, "deliverers")], [process, patience])]


def _or_nothing(*numbers: int | None) -> list[int | str]:
    """Return numbers as a script takes them, "" for None."""
    return ["" if number is None else number for number in numbers]


def _lane(name: bytes) -> Lane | None:
    """Return the lane that has a name, None where no lane can have it."""
    webhook, _, game = name.decode(errors="replace").partition(" ")
    if not keys.is_webhook_id(webhook) or not (game == NO_GAME or keys.is_game_id(game)):
        return None
    return Lane(webhook, game)


def _keys(lane: Lane, kinds: Sequence[str], of_shard: Sequence[str] = ("lanes", "taken")) -> list[str]:
    shard = keys.shard_of_webhook(lane.webhook)
    return [
        *(keys.of_webhook(lane.webhook, kind) for kind in kinds),
        *(keys.of_shard(shard, kind) for kind in of_shard),
    ]
