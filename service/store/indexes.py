"""Indexes: access to the rows of all indexes. Indexes are derived from the logs and stored under separate keys.

Other modules write, show and interpret the rows of an index. This module only finds, reads and replaces rows, so that
other modules can compare the rows with the logs. Each call reads or writes one shard.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from . import keys
from .commits import time_of
from .connection import Server
from .effects import Row
from .log import OUTBOX
from .lua import script
from .rows import parse_int
from .transport import Command

SCAN = script("scan_shard", when_read_only=True)
READ_INDEX = script("read_index", when_read_only=True)
READ_ROWS = script("read_rows", when_read_only=True)
MEND_ROWS = script("mend_rows")
MEND_FEED = script("mend_feed")
READ_COUNTS = script("read_counts", when_read_only=True)
MEND_COUNTS = script("mend_counts")

COUNT = 1000
"""The approximate number of keys or rows that are read at a time. The number is low enough that the server can answer
other commands between two reads.
"""

LOGS = ("log", "seed")
"""The families of keys that every game has."""
FAMILIES = {
    "due": "zset",
    "looks": "zset",
    **dict.fromkeys(keys.LIST_NAMES, "zset"),
    "mine": "zset",
    keys.PRIVATE: "zset",
    "summaries": "hash",
    "progress": "hash",
    "current": "hash",
    "turns": "hash",
    "given": "hash",
    "record": "hash",
    "orders": "hash",
    "orders-history": "hash",
    "feed": "list",
}
"""The type of each index's keys, by the first word of these keys."""


class IndexState(NamedTuple):
    """Data that were read in one step: commits, the server's time (ms since the epoch), and rows.

    `later_commits` are the commits that the caller has not read yet, or None if the log has become shorter. If a row
    does not exist, its value is b"". A row, or a part of a feed, is None if its key holds data of the wrong type.
    """

    later_commits: Sequence[bytes] | None
    at: int
    rows: Mapping[Row, bytes | None]
    feeds: Mapping[str, Sequence[bytes] | None]


class CountState(NamedTuple):
    """A player's counts in a shard, the id of the shard's last append, and the lengths of recently changed logs."""

    last: bytes
    counts: Mapping[str, bytes]
    lengths: Mapping[str, int]


def family_of(key: str) -> str:
    """Return the first word of a key, which names its family.

    >>> family_of("condottiere:{s17}:turns:p17abcdefghjk"), family_of("condottiere:{s17}:due")
    ('turns', 'due')
    """
    return key.split(":")[2]


def name_in(key: str) -> str:
    """Return the id or name after the first word of a key, or "" if there is none."""
    return key.split(":", 3)[3] if key.count(":") > 2 else ""


def feed_of(game_id: str, player: str) -> str:
    """Return the key of a player's feed in a game's shard."""
    return keys.of_shard(keys.shard_of_game(game_id), f"feed:{player}")


class Indexes:
    """The indexes of all shards."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def keys_of(self, shard: int) -> set[str]:
        """Return the keys of a shard's logs and indexes. Takes about one round trip per `COUNT` keys on the server.

        Raises: StoreError.
        """
        families = {*LOGS, *FAMILIES}
        return {key for key in self.names_of(shard) if family_of(key) in families}

    def names_of(self, shard: int) -> Iterator[str]:
        """Yield all keys of a shard.

        A key may be yielded twice. Takes as many round trips as `keys_of`. Raises: StoreError.
        """
        cursor = b"0"
        while True:
            cursor, names = self._server.run(SCAN, [_due_key(shard)], [cursor, _pattern(shard), COUNT])
            yield from (name.decode(errors="replace") for name in names)
            if cursor == b"0":
                return

    def rows_of(self, key: str) -> Iterator[tuple[str, bytes]]:
        """Yield the rows of an index: each member with its value. A row of a feed has the value b"".

        If other processes write at the same time, a row may be yielded twice. Takes about one round trip per `COUNT`
        rows. Raises: StoreError.
        """
        kind, cursor = FAMILIES[family_of(key)], b"0"
        while True:
            cursor, rows = self._server.run(READ_INDEX, [key], [kind, cursor, COUNT])
            texts = iter(rows)
            pairs = ((row, b"") for row in texts) if kind == "list" else zip(texts, texts, strict=True)
            yield from ((member.decode(errors="surrogateescape"), value) for member, value in pairs)
            if cursor == b"0":
                return

    def read(
        self, game_log: str, length: int, rows: Iterable[Row], feeds: Iterable[str] = (), game: str = ""
    ) -> IndexState:
        """Return these index rows, a game's entries in these feeds, and the commits after the first `length` in the
        game's log. Takes one round trip.

        Raises: StoreError.
        """
        rows, feeds = list(rows), list(feeds)
        reads = [(row.key, FAMILIES[family_of(row.key)], _encoded(row.member)) for row in rows]
        reads += [(key, "list", _encoded(f"{game} ")) for key in feeds]
        args = [part for _, *parts in reads for part in parts]
        later_commits, at, *answers = self._server.run(
            READ_ROWS, [game_log, *(key for key, *_ in reads)], [length, *args]
        )
        values = [None if value == 0 else value for value in answers]
        parts = zip(rows, values, strict=False), zip(feeds, values[len(rows) :], strict=True)
        return IndexState(None if later_commits == 0 else later_commits, at, dict(parts[0]), dict(parts[1]))

    def mend(self, log: str, length: int, commands: Iterable[Command]) -> bool:
        """Run commands that write rows, unless the log's length has changed. Takes one round trip.

        Raises: StoreError.
        """
        where, args = [log], list[object]([length])
        for name, key, *arguments in commands:
            where.append(key)
            args += [name, len(arguments), *(_encoded(part) if isinstance(part, str) else part for part in arguments)]
        return bool(self._server.run(MEND_ROWS, where, args))

    def mend_feed(self, log: str, length: int, key: str, before: Sequence[bytes], after: Sequence[bytes]) -> bool:
        """Replace the rows of a feed with other rows, unless the rows or the log have changed. Takes one round trip.

        Raises: StoreError.
        """
        digest = hashlib.sha1(b"".join(row + b"\n" for row in before), usedforsecurity=False).hexdigest()
        return bool(self._server.run(MEND_FEED, [log, key], [length, len(before), digest, *after]))

    def times_of(self, shard: int, rows: Sequence[bytes]) -> list[int]:
        """Return the time of each commit that a feed's rows name (ms since the epoch; 0 if the commit cannot be read).

        Takes one round trip. Raises: StoreError.
        """
        references = [row.decode(errors="replace").partition(" ") for row in rows]
        reads = [
            ("LINDEX", keys.of_shard(shard, f"log:{game}"), int(seq) - 1 if seq.isdecimal() else 0)
            for game, _, seq in references
        ]
        return [time_of(commit or b"") for commit in self._server.ask_parts(reads)]

    # A player's counts are sums over all games of a shard, so they cannot be compared game by game.

    def last_append(self, shard: int) -> bytes:
        """Return the id of a shard's last append, read from its outbox, or b"" if the outbox is empty.

        Takes one round trip. Raises: StoreError.
        """
        entries = self._server.ask("XREVRANGE", _outbox_key(shard), "+", "-", "COUNT", 1)
        return bytes(entries[0][0]) if entries else b""

    def read_counts(self, key: str, shard: int, last: bytes) -> CountState | None:
        """Return a player's counts in a shard, and the lengths of the logs that have changed since the append with the
        id `last`.

        Returns None if the outbox no longer contains `last`. Takes one round trip. Raises: StoreError.
        """
        answer = self._server.run(READ_COUNTS, [_outbox_key(shard), key], [last, OUTBOX])
        if answer == 0:
            return None
        now, members, appends = answer
        fields, parts, lengths = iter(members), iter(appends), dict[str, int]()
        for game, seq in zip(parts, parts, strict=True):
            if keys.is_game_id(name := game.decode(errors="replace")) and (number := parse_int(seq)) is not None:
                lengths[name] = max(number, lengths.get(name, 0))
        counts = {name.decode(errors="surrogateescape"): count for name, count in zip(fields, fields, strict=True)}
        return CountState(now, counts, lengths)

    def mend_counts(self, key: str, before: Mapping[str, bytes], after: Mapping[str, int]) -> bool:
        """Replace a player's counts, unless they have changed in the meantime. Takes one round trip. Raises:
        StoreError.
        """
        pairs = [
            part for counts in (before, after) for name, count in counts.items() for part in (_encoded(name), count)
        ]
        return bool(self._server.run(MEND_COUNTS, [key], [len(before), *pairs]))


def _encoded(text: str) -> bytes:
    """Return a member as the server stores it, even if it is not UTF-8."""
    return text.encode(errors="surrogateescape")


def _pattern(shard: int) -> str:
    return keys.of_shard(shard, "*")


def _due_key(shard: int) -> str:
    return keys.of_shard(shard, "due")


def _outbox_key(shard: int) -> str:
    return keys.of_shard(shard, "outbox")
