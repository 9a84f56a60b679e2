"""The outboxes: which game has gone on to which commit, in the order of the appends, read by cursor.

A cursor lies beside its outbox. It is written after what it stands for has been done: a reader that dies reads again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

from . import keys
from .connection import Server, script
from .rows import whole
from .transport import Command

_logger = logging.getLogger(__name__)

READ = """
-- Reads what follows in an outbox on what has been read.
--
-- KEYS  1 outbox, 2 outbox-read
-- ARGV  1 how many entries at most
-- gives entries as XRANGE does
--
-- Reason: the cursor is the outbox's own, and both are asked for of every shard all the time: one round trip does. A
-- cursor that cannot be one is taken for none: planning the same again does nothing.
local read = redis.pcall('GET', KEYS[2])
read = type(read) == 'string' and string.match(read, '^%d+%-%d+$')
return redis.call('XRANGE', KEYS[1], read and '(' .. read or '-', '+', 'COUNT', ARGV[1])
"""


MEND = script("""
-- Puts the cursor of an outbox back where it is past everything that the outbox has ever held.
--
-- KEYS  1 outbox, 2 outbox-read
-- gives 1 put back, 0 there was no need
--
-- Reason: an outbox that was lost and began again, by a clock that was put back, would not be read for a long time.
local read = redis.pcall('GET', KEYS[2])
read = type(read) == 'string' and string.match(read, '^%d+%-%d+$')
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not read or not last then
  return 0
end
local function parts(id)
  local ms, number = string.match(id, '^(%d+)%-(%d+)$')
  return tonumber(ms) or 0, tonumber(number) or 0
end
local ms, number = parts(read)
local last_ms, last_number = parts(last[1])
if ms < last_ms or (ms == last_ms and number <= last_number) then
  return 0
end
redis.call('SET', KEYS[2], last[1])
return 1
""")


class Entry(NamedTuple):
    """One append: the outbox's name for it, the game, and the number of the commit.

    An entry that cannot be read names no game and the number 0; it has been read like any other.
    """

    id: str
    game: str
    seq: int


class Outbox:
    """The outboxes of all shards."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they lie."""
        self._server = server

    def read(self, shards: Sequence[int], most: int) -> dict[int, list[Entry]]:
        """Return at most so many entries of each shard that nobody has read, oldest first, of those that have any.

        One round trip.
        """
        commands: list[Command] = []
        for shard in shards:
            wanted = [keys.of_shard(shard, kind) for kind in ("outbox", "outbox-read")]
            commands.append(("EVAL", READ, len(wanted), *wanted, most))
        answers = self._server.ask_parts(commands)
        found = {shard: [_entry(*row) for row in rows or ()] for shard, rows in zip(shards, answers, strict=True)}
        return {shard: entries for shard, entries in found.items() if entries}

    def done(self, shard: int, entry: Entry) -> None:
        """Remember that an outbox has been read up to an entry; one round trip."""
        self._server.ask("SET", keys.of_shard(shard, "outbox-read"), entry.id)

    def mend(self, shard: int) -> bool:
        """Put a cursor back that is past the end of its outbox; True where it was. One round trip."""
        return bool(self._server.run(MEND, [keys.of_shard(shard, kind) for kind in ("outbox", "outbox-read")], ()))


def _entry(name: bytes, fields: Sequence[bytes]) -> Entry:
    values = dict(zip(fields[::2], fields[1::2], strict=True))
    game, seq = values.get(b"game", b"").decode(errors="replace"), whole(values.get(b"seq"))
    if not keys.is_game_id(game) or seq is None:
        _logger.error("entry %s of an outbox cannot be read and is passed over", name.decode())
        return Entry(name.decode(), "", 0)
    return Entry(name.decode(), game, seq)
