"""The outboxes: which game has gone on to which commit, in the order of the appends, read by cursor.

A cursor lies beside its outbox. It is written after what it stands for has been done: a reader that dies reads again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

from . import keys
from .connection import Server
from .lua import script
from .rows import whole

_logger = logging.getLogger(__name__)

READ = script("read_outbox")
MEND = script("mend_cursor")
MOVE = script("move_cursor")


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
        answers = self._server.ask_parts([self._server.command(READ, _keys(shard), [most]) for shard in shards])
        found = {shard: [_entry(*row) for row in rows or ()] for shard, rows in zip(shards, answers, strict=True)}
        return {shard: entries for shard, entries in found.items() if entries}

    def done(self, shard: int, entry: Entry) -> None:
        """Remember that an outbox has been read up to an entry; one round trip."""
        self._server.run(MOVE, [keys.of_shard(shard, "outbox-read")], [entry.id])

    def mend(self, shard: int) -> bool:
        """Put a cursor back that is past the end of its outbox; True where it was. One round trip."""
        return bool(self._server.run(MEND, _keys(shard), ()))


def _keys(shard: int) -> list[str]:
    return [keys.of_shard(shard, "outbox"), keys.of_shard(shard, "outbox-read")]


def _entry(name: bytes, fields: Sequence[bytes]) -> Entry:
    values = dict(zip(fields[::2], fields[1::2], strict=True))
    game, seq = values.get(b"game", b"").decode(errors="replace"), whole(values.get(b"seq"))
    if not keys.is_game_id(game) or seq is None:
        _logger.error("skipping entry %s of an outbox, which cannot be read", name.decode())
        return Entry(name.decode(), "", 0)
    return Entry(name.decode(), game, seq)
