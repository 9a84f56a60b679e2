"""Presence: when the service was last seen at work, and when it was not.

The web says time and again that it is there, and the clock after every round that it has finished. One of them that was
silent for longer than a minute has had an outage, whatever the reason: its own end, rounds that failed, or a log server
that could not be written to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from . import keys
from .connection import Server, script
from .rows import whole
from .transport import Command

CLOCK, WEB = PARTS = ("clock", "web")
"""The parts of the service that say that they are there."""
SILENCE = 60_000
"""Ms of silence that are an outage."""
EPOCH = 1_577_836_800_000
"""2020-01-01, before which this service was not there."""
KEPT = 1_000
"""How many outages are remembered."""

BEAT = script("""
-- Says that a part of the service is there, and notes the outage that has ended where it was silent.
--
-- KEYS  1 presence, 2 outages, 3 and 4 where these are put if they are damaged
-- ARGV  1 the part, 2 the time (ms since the epoch), 3 how much silence is an outage (ms), 4 how many are kept,
--       5 before when nobody can have said anything
-- gives 1 an outage has ended, 0 none has
--
-- Reason: of many processes that say it at once, one must find the silence before them. Nothing can be derived from a
-- key of another type, and every clock stands still until the parts have been seen: so both begin again.
for i, kind in ipairs({'hash', 'list'}) do
  local found = redis.call('TYPE', KEYS[i]).ok
  if found ~= kind and found ~= 'none' then
    redis.call('RENAME', KEYS[i], KEYS[i + 2])
  end
end
local last = tonumber(redis.call('HGET', KEYS[1], ARGV[1]))
local now = tonumber(ARGV[2])
-- What no clock can have said, or cannot have said yet, is an error.
local wrong = last and (last < tonumber(ARGV[5]) or
  (last > now and last > redis.call('TIME')[1] * 1000 + tonumber(ARGV[3])))
if last and now <= last and not wrong then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if not last or wrong or now - last <= tonumber(ARGV[3]) then
  return 0
end
redis.call('RPUSH', KEYS[2], string.format('%.0f', last) .. ' ' .. ARGV[2])
redis.call('LTRIM', KEYS[2], -tonumber(ARGV[4]), -1)
return 1
""")

SEEN = script("""
-- Reads when each part was last there, and the outages that have ended.
--
-- KEYS  1 presence, 2 outages
-- ARGV  1 how many outages
-- gives part, when, part, when... and the outages, each as its first and last ms
--
-- Reason: an outage that ends between two reads must stand in one of them. What is damaged is empty until the next word
-- of a part.
local function read(kind, key, ...)
  local found = redis.call('TYPE', key).ok
  return found == kind and redis.call(...) or {}
end
return {
  read('hash', KEYS[1], 'HGETALL', KEYS[1]),
  read('list', KEYS[2], 'LRANGE', KEYS[2], -tonumber(ARGV[1]), -1),
}
""")


class Outage(NamedTuple):
    """From when to when a part of the service was silent (ms since the epoch)."""

    since: int
    until: int


class Seen(NamedTuple):
    """When each part of the service was last there, and the outages that have ended, the last one last."""

    last: dict[str, int]
    outages: list[Outage]

    def silent(self, now: int) -> bool:
        """Tell whether an outage goes on: then nobody's time may be said to be over."""
        return any(now - last > SILENCE for last in self.last.values())


class Presence:
    """Who of the service is there."""

    def __init__(self, server: Server) -> None:
        """Take the server that keeps it."""
        self._server = server

    def beat(self, part: str, now: int) -> bool:
        """Say that a part is there; True where an outage of it has ended so. One round trip.

        Raises: StoreUnavailable.
        """
        where = [*_KEYS, *(f"{key}:damaged" for key in _KEYS)]
        return bool(self._server.run(BEAT, where, [part, now, SILENCE, KEPT, EPOCH]))

    def seen(self) -> Seen:
        """Return who was seen when; one round trip. Raises: StoreUnavailable."""
        return self.seen_and_read()[0]

    def seen_and_read(self, *reads: Command) -> tuple[Seen, list[Any]]:
        """Return who was seen when, and the answers to commands that only read; one round trip.

        Raises: StoreUnavailable.
        """
        (flat, outages), *answers = self._server.run_and_ask(SEEN, _KEYS, [KEPT], reads)
        said = {part.decode(errors="replace"): whole(at) for part, at in zip(flat[::2], flat[1::2], strict=True)}
        last = {part: at for part in PARTS if (at := said.get(part)) is not None and at >= EPOCH}
        ended = [Outage(int(row[1]), int(row[2])) for row in map(_OUTAGE.fullmatch, outages) if row]
        return Seen(last, [outage for outage in ended if _is_true(outage, last)]), answers


def _is_true(outage: Outage, last: Mapping[str, int]) -> bool:
    """Tell whether an outage can have been: it ended with a word of a part, so that part's last word is no earlier."""
    return EPOCH <= outage.since < outage.until <= max(last.values(), default=0)


_OUTAGE = re.compile(rb"([0-9]{1,15}) ([0-9]{1,15})")
_KEYS = [keys.of_shard(0, "presence"), keys.of_shard(0, "outages")]
