"""Feeds: for each player, every commit that concerns the player, across all games.

An append also adds to the feeds of the game's players, in the game's shard, so a feed has a part in each shard. New
entries are only added at the end of a part. A cursor therefore holds only how many entries of each part were read, and
stays valid for ever (decision 0005). The order of commits in different shards is undefined.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from . import keys
from .connection import Server
from .errors import BadCursor
from .transport import Command

FORMAT = b"\x01"
"""The first byte of a cursor, so that later formats can be distinguished from this one."""
_ENTRY = re.compile(rb"(\w+) ([0-9]{1,9})")
_PART = struct.Struct(">BI")
"""A shard, and how many entries of its part have been read. Shards of which nothing has been read are left out."""


class Entry(NamedTuple):
    """One commit in a feed: the game, the commit's number in the game's log, and the cursor after this entry."""

    game: str
    seq: int
    cursor: str


def append_to_feeds(game_id: str, seq: int, players: Iterable[str]) -> list[Command]:
    """Return the commands, to be run with a commit, that add the commit to these players' feeds."""
    shard = keys.shard_of_game(game_id)
    return [("RPUSH", keys.of_shard(shard, f"feed:{player}"), f"{game_id} {seq}") for player in players]


class Feeds:
    """The feeds of all players."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads."""
        self._server = server

    def read(self, player: str, cursor: str, limit: int) -> list[Entry]:
        """Return at most `limit` entries after a cursor, in order within each shard. One round trip.

        Raises: BadCursor, StoreUnavailable.
        """
        counts = _parts(cursor)
        reads = [("LRANGE", key, counts[shard], counts[shard] + limit - 1) for shard, key in _keys(player)]
        return list(_entries(counts, [rows or () for rows in self._server.ask_parts(reads)]))[:limit]

    def lengths(self, players: Sequence[str]) -> list[int]:
        """Return the number of entries in each player's feed. One round trip. Raises: StoreUnavailable."""
        parts = self._server.ask_parts(("LLEN", key) for player in players for _, key in _keys(player))
        return [sum(length or 0 for length in parts[at : at + keys.SHARDS]) for at in range(0, len(parts), keys.SHARDS)]

    def end(self, player: str) -> str:
        """Return the cursor after the last entry of a feed. One round trip. Raises: StoreUnavailable."""
        return _cursor([length or 0 for length in self._server.ask_parts(("LLEN", key) for _, key in _keys(player))])


def is_cursor(text: str) -> bool:
    """Return whether a text is a valid cursor of a feed.

    >>> is_cursor(START), is_cursor("AREAAAAB"), is_cursor("AQ=="), is_cursor("7")
    (True, True, False, False)
    """
    try:
        _parts(text)
    except BadCursor:
        return False
    return True


def position_of(cursor: str) -> int:
    """Return the number of entries of a feed that precede a cursor. Raises: BadCursor.

    >>> position_of(START), position_of("AREAAAAB")
    (0, 1)
    """
    return sum(_parts(cursor))


def _keys(player: str) -> Iterator[tuple[int, str]]:
    return ((shard, keys.of_shard(shard, f"feed:{player}")) for shard in range(keys.SHARDS))


def _entries(counts: list[int], rows_of_shards: Sequence[Sequence[bytes]]) -> Iterator[Entry]:
    for shard, rows in enumerate(rows_of_shards):
        for row in rows:
            counts[shard] += 1
            match = _ENTRY.fullmatch(row)
            if match is not None:  # A row that cannot be read is skipped but counted: the cursor moves past it.
                yield Entry(match[1].decode(), int(match[2]), _cursor(counts))


def _cursor(counts: Sequence[int]) -> str:
    parts = (_PART.pack(shard, count) for shard, count in enumerate(counts) if count)
    return base64.urlsafe_b64encode(FORMAT + b"".join(parts)).decode().rstrip("=")


START = _cursor([])
"""The cursor before the first entry."""


def _parts(cursor: str) -> list[int]:
    counts = [0] * keys.SHARDS
    try:
        data = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        for shard, count in _PART.iter_unpack(data[len(FORMAT) :]):
            counts[shard] = count
    except (ValueError, LookupError, binascii.Error, struct.error) as error:
        raise BadCursor("this cursor was not given by a feed") from error
    if _cursor(counts) != cursor:
        raise BadCursor("this cursor was not given by a feed")
    return counts
