"""Feeds: each player has a feed of all commits that concern the player, in all games.

An append also adds entries to the feeds of the game's players. The entries are in the game's shard, so a feed has a
part in each shard. New entries are always added at the end of a part. A cursor therefore only says how many entries of
each part have been read, and never becomes invalid (decision 0005). The order of commits in different shards is
undefined.

Messages at tables (`talk`) and notices about invitations (`invitations`) are in separate lists. These lists are read
only if the caller asks for them. A cursor counts these lists as additional parts, numbered from `SHARDS`.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from . import invitations, keys, talk
from .connection import Server
from .errors import BadCursor
from .feed_shards import read_shards, shards_key
from .transport import Command

FORMAT = b"\x01"
"""The first byte of a cursor, so that later formats can be distinguished from this one."""
TALK, INVITATIONS = EXTRAS = ("talk", "invitations")
"""The kinds of entries, other than commits, that a feed contains if the caller asks for them. They are in the same
order as the parts in a cursor.
"""
_LISTS = {TALK: talk.feed_of, INVITATIONS: invitations.feed_of}
_ENTRY = re.compile(rb"(\w+) (?:([0-9]{1,9})|(m\w{16})|([a-z.]+) (p\w{12}))")
_PART = struct.Struct(">BI")
"""The encoding of a part's number, and of how many of its entries have been read. Unread parts are left out."""
_PARTS = (1 + len(EXTRAS)) * keys.SHARDS
MOST_PLAYERS = 10_000
"""The maximum number of players for whom a process remembers which shards have extras."""


class Entry(NamedTuple):
    """An entry in a feed: the game, the number of the commit in the game's log, and the cursor after this entry.

    If the entry is a message, `message` is its id, and the number is 0. If the entry is a notice about an invitation,
    `notice` is its kind, `invited` is the player who was invited, and the number is 0.
    """

    game: str
    seq: int
    cursor: str
    message: str = ""
    notice: str = ""
    invited: str = ""


def append_to_feeds(game_id: str, seq: int, players: Iterable[str]) -> list[Command]:
    """Return the commands that add a commit to these players' feeds. Run the commands together with the commit."""
    shard = keys.shard_of_game(game_id)
    return [("RPUSH", keys.of_shard(shard, f"feed:{player}"), f"{game_id} {seq}") for player in players]


class Feeds:
    """The feeds of all players."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads."""
        self._server = server
        self._shards: dict[str, set[int]] = {}
        """The shards in which a player had extras at the last read. With this cache, most reads take one round trip."""

    def read(self, player: str, cursor: str, limit: int, extras: Collection[str] = ()) -> list[Entry]:
        """Return at most `limit` entries after a cursor, in order within each part. Takes one round trip.

        Messages and notices are included only if they are among the `extras`. Takes an additional round trip if a shard
        has extras, but neither the cursor nor an earlier read shows that it has any. Raises: BadCursor,
        StoreUnavailable.
        """
        counts = _parts(cursor)

        def ask(keys_of_parts: Iterable[tuple[int, str]]) -> list[Command]:
            return [("LRANGE", key, counts[part], counts[part] + limit - 1) for part, key in keys_of_parts]

        parts = dict(_keys(player))
        if not extras:
            rows = dict(zip(parts, self._server.ask_parts(ask(parts.items())), strict=True))
        else:
            expected = {part % keys.SHARDS for part, count in enumerate(counts) if count and part >= keys.SHARDS}
            expected |= self._shards.get(player, set())
            parts |= _extra_keys(player, extras, sorted(expected))
            answer, *answers = self._server.ask_parts([("SMEMBERS", shards_key(player)), *ask(parts.items())])
            rows, shards = dict(zip(parts, answers, strict=True)), read_shards(answer)
            others = dict(_extra_keys(player, extras, sorted(shards - expected)))
            if others:
                rows |= zip(others, self._server.ask_parts(ask(others.items())), strict=True)
            if len(self._shards) >= MOST_PLAYERS:
                self._shards.clear()
            self._shards[player] = shards
        return list(islice(_entries(counts, rows), limit))

    def lengths(self, players: Sequence[str]) -> list[int]:
        """Return the number of entries in each player's feed. Takes one round trip. Raises: StoreUnavailable."""
        parts = self._server.ask_parts(("LLEN", key) for player in players for _, key in _keys(player))
        return [sum(length or 0 for length in parts[at : at + keys.SHARDS]) for at in range(0, len(parts), keys.SHARDS)]

    def end(self, player: str, extras: Collection[str] = ()) -> str:
        """Return the cursor after the last entry of a feed. Takes one round trip. Raises: StoreUnavailable.

        If `extras` are given, the cursor is also placed after the last entry of each extra. This takes an additional
        round trip.
        """
        parts = dict(_keys(player))
        if extras:
            shards = read_shards(self._server.ask("SMEMBERS", shards_key(player)))
            parts |= _extra_keys(player, extras, sorted(shards))
        counts = [0] * _PARTS
        for part, length in zip(parts, self._server.ask_parts(("LLEN", key) for key in parts.values()), strict=True):
            counts[part] = length or 0
        return _cursor(counts)


def is_cursor(text: str) -> bool:
    """Return whether a string is a valid cursor of a feed.

    >>> is_cursor(START), is_cursor("AREAAAAB"), is_cursor("AQ=="), is_cursor("7")
    (True, True, False, False)
    """
    try:
        _parts(text)
    except BadCursor:
        return False
    return True


def position_of(cursor: str) -> int:
    """Return how many of a feed's commits precede a cursor. Raises: BadCursor.

    >>> position_of(START), position_of("AREAAAAB")
    (0, 1)
    """
    return sum(_parts(cursor)[: keys.SHARDS])


def _keys(player: str) -> Iterator[tuple[int, str]]:
    return ((shard, keys.of_shard(shard, f"feed:{player}")) for shard in range(keys.SHARDS))


def _extra_keys(player: str, extras: Collection[str], shards: Sequence[int]) -> Iterator[tuple[int, str]]:
    """For each of these extras in each of these shards, yield the number and the key of its part."""
    for number, extra in enumerate(EXTRAS, 1):
        if extra in extras:
            yield from ((number * keys.SHARDS + shard, _LISTS[extra](shard, player)) for shard in shards)


def _entries(counts: list[int], rows_of_parts: Mapping[int, Sequence[bytes] | None]) -> Iterator[Entry]:
    for part, rows in rows_of_parts.items():
        if not rows:
            continue
        before, after = _packed(counts, 0, part), _packed(counts, part + 1, _PARTS)
        for row in rows:
            counts[part] += 1
            match = _ENTRY.fullmatch(row)
            if match is not None:  # A row that cannot be read is skipped but counted: the cursor moves past it.
                game, seq, *more = (group.decode() for group in match.groups(default=b""))
                yield Entry(game, int(seq or 0), _encoded(before + _PART.pack(part, counts[part]) + after), *more)


def _cursor(counts: Sequence[int]) -> str:
    return _encoded(_packed(counts, 0, len(counts)))


def _packed(counts: Sequence[int], start: int, end: int) -> bytes:
    """Return the encoded parts from `start` up to, but not including, `end`."""
    return b"".join([_PART.pack(part, counts[part]) for part in range(start, end) if counts[part]])


def _encoded(parts: bytes) -> str:
    return base64.urlsafe_b64encode(FORMAT + parts).decode().rstrip("=")


START = _cursor([])
"""The cursor before the first entry."""


def _parts(cursor: str) -> list[int]:
    counts = [0] * _PARTS
    try:
        data = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        for shard, count in _PART.iter_unpack(data[len(FORMAT) :]):
            counts[shard] = count
    except (ValueError, LookupError, binascii.Error, struct.error) as error:
        raise BadCursor("this cursor does not come from a feed") from error
    if _cursor(counts) != cursor:
        raise BadCursor("this cursor does not come from a feed")
    return counts
