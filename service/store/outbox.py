"""The outboxes: one outbox for each shard.

An outbox lists the game and the number of every appended commit, in order.

Each outbox has one cursor, stored next to it. A reader moves the cursor only after it has processed the entries. If the
reader dies before it moves the cursor, the entries are reread.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

from . import keys
from .connection import Server
from .lua import script
from .rows import parse_int

_logger = logging.getLogger(__name__)

READ = script("read_outbox", when_read_only=True)
MEND = script("mend_cursor")
MOVE = script("move_cursor")


class Entry(NamedTuple):
    """An outbox entry for one append: the entry's id, the game, and the commit's number.

    In the talk outbox, an entry represents a message. `message` is the message's id, and `seq` is its number in the
    game.

    If an entry cannot be read, its game is "" and its number is 0. The cursor also moves past entries that cannot be
    read.
    """

    id: str
    game: str
    seq: int
    message: str = ""


class Outbox:
    """The outboxes of all shards."""

    def __init__(self, server: Server, name: str = "outbox") -> None:
        """Use this server for all reads and writes. The keys of the outboxes contain `name`."""
        self._server = server
        self._name = name

    def read(self, shards: Sequence[int], limit: int) -> dict[int, list[Entry]]:
        """Return at most `limit` unread entries of each shard that has any, oldest first.

        Takes one round trip.
        """
        answers = self._server.ask_parts([self._server.command(READ, self._keys(shard), [limit]) for shard in shards])
        rows_of_shards = zip(shards, answers, strict=True)
        return {shard: [_entry(*row) for row in rows] for shard, rows in rows_of_shards if rows}

    def move_cursor(self, shard: int, entry: Entry) -> None:
        """Record that an outbox has been read up to and including an entry. Takes one round trip."""
        self._server.run(MOVE, self._keys(shard)[1:], [entry.id])

    def mend(self, shard: int) -> bool:
        """Move a cursor back if it is past the end of its outbox. Return whether the cursor was moved.

        Takes one round trip.
        """
        return bool(self._server.run(MEND, self._keys(shard), ()))

    def _keys(self, shard: int) -> list[str]:
        return [keys.of_shard(shard, self._name), keys.of_shard(shard, f"{self._name}-read")]


def _entry(name: bytes, fields: Sequence[bytes]) -> Entry:
    values = dict(zip(fields[::2], fields[1::2], strict=True))
    game, seq = values.get(b"game", b"").decode(errors="replace"), parse_int(values.get(b"seq"))
    if not keys.is_game_id(game) or seq is None:
        _logger.error("skipping outbox entry %s, which cannot be read", name.decode())
        return Entry(name.decode(), "", 0)
    return Entry(name.decode(), game, seq, values.get(b"message", b"").decode(errors="replace"))
