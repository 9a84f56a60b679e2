"""Feeds: for each player, every commit that concerns them, over all games.

The append adds to the feeds of a game's players in the same instant, in the game's own shard, so a feed has a part in
each shard. A part only ever grows at its end. How much of each part has been read is therefore all that a cursor has to
say, and what it says stays true for ever (decision 0005). Two games of different shards have no order between them.
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
"""The first byte of a cursor; so that another kind of cursor may follow on this one."""
_ENTRY = re.compile(rb"(\w+) ([0-9]{1,9})")
_PART = struct.Struct(">BI")
"""A shard, and how many entries of its part have been read; shards of which none have are left out."""


class Entry(NamedTuple):
    """One commit of a feed: the game, its number there, and the cursor after it."""

    game: str
    seq: int
    cursor: str


def fed(game_id: str, seq: int, players: Iterable[str]) -> list[Command]:
    """Return what adds a commit to the feeds of players, to be written with it."""
    shard = keys.shard_of_game(game_id)
    return [("RPUSH", keys.of_shard(shard, f"feed:{player}"), f"{game_id} {seq}") for player in players]


class Feeds:
    """The feeds of all players."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they lie."""
        self._server = server

    def read(self, player: str, cursor: str, most: int) -> list[Entry]:
        """Return at most so many entries after a cursor, in order within each shard; one round trip.

        Raises: BadCursor, StoreUnavailable.
        """
        read = _parts(cursor)
        reads = [("LRANGE", key, read[shard], read[shard] + most - 1) for shard, key in _keys(player)]
        return list(_entries(read, [rows or () for rows in self._server.ask_parts(reads)]))[:most]

    def lengths(self, players: Sequence[str]) -> list[int]:
        """Return how many entries each of some feeds has; one round trip. Raises: StoreUnavailable."""
        found = self._server.ask_parts(("LLEN", key) for player in players for _, key in _keys(player))
        return [sum(length or 0 for length in found[at : at + keys.SHARDS]) for at in range(0, len(found), keys.SHARDS)]

    def end(self, player: str) -> str:
        """Return the cursor after everything that there is; one round trip. Raises: StoreUnavailable."""
        return _cursor([length or 0 for length in self._server.ask_parts(("LLEN", key) for _, key in _keys(player))])


def is_cursor(text: str) -> bool:
    """Tell whether a feed may have given a cursor.

    >>> is_cursor(START), is_cursor("AREAAAAB"), is_cursor("AQ=="), is_cursor("7")
    (True, True, False, False)
    """
    try:
        _parts(text)
    except BadCursor:
        return False
    return True


def position_of(cursor: str) -> int:
    """Return how many entries of a feed have been read at a cursor. Raises: BadCursor.

    >>> position_of(START), position_of("AREAAAAB")
    (0, 1)
    """
    return sum(_parts(cursor))


def _keys(player: str) -> Iterator[tuple[int, str]]:
    return ((shard, keys.of_shard(shard, f"feed:{player}")) for shard in range(keys.SHARDS))


def _entries(read: list[int], found: Sequence[Sequence[bytes]]) -> Iterator[Entry]:
    for shard, rows in enumerate(found):
        for row in rows:
            read[shard] += 1
            named = _ENTRY.fullmatch(row)
            if named is not None:  # What cannot be read has been read all the same: the cursor is past it.
                yield Entry(named[1].decode(), int(named[2]), _cursor(read))


def _cursor(read: Sequence[int]) -> str:
    parts = (_PART.pack(shard, count) for shard, count in enumerate(read) if count)
    return base64.urlsafe_b64encode(FORMAT + b"".join(parts)).decode().rstrip("=")


START = _cursor([])
"""The cursor before everything."""


def _parts(cursor: str) -> list[int]:
    read = [0] * keys.SHARDS
    try:
        packed = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        for shard, count in _PART.iter_unpack(packed[len(FORMAT) :]):
            read[shard] = count
    except (ValueError, LookupError, binascii.Error, struct.error) as error:
        raise BadCursor("this cursor was not given by a feed") from error
    if _cursor(read) != cursor:
        raise BadCursor("this cursor was not given by a feed")
    return read
