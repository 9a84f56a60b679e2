"""Indexes as such: all that is kept beside the logs and follows from them, key by key and row by row.

The files that write and show an index know what its rows mean. Here rows are found, read and replaced, so that they can
be compared with the logs. All that is asked for at once lies in one shard.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from . import keys
from .commits import time_of
from .connection import Server
from .log import OUTBOX
from .lua import script
from .rows import whole
from .transport import Command
from .written import Row

SCAN = script("scan_shard")
READ_INDEX = script("read_index")
READ_ROWS = script("read_rows")
MEND_ROWS = script("mend_rows")
MEND_FEED = script("mend_feed")
READ_COUNTS = script("read_counts")
MEND_COUNTS = script("mend_counts")

COUNT = 1000
"""About how many keys or rows are read at a time: the server answers others in between."""

LOGS = ("log", "seed")
"""Families of keys of which a game has one as long as there is something of it."""
FAMILIES = {
    "due": "zset",
    "looks": "zset",
    **dict.fromkeys(keys.LISTED, "zset"),
    "mine": "zset",
    "summaries": "hash",
    "turns": "hash",
    "given": "hash",
    "record": "hash",
    "orders": "hash",
    "orders-history": "hash",
    "feed": "list",
}
"""The indexes, by the first word of their keys, and what they hold."""


class Found(NamedTuple):
    """What was read at one moment: commits, the server's time (ms since the epoch), and rows.

    `more` are the commits that the log has behind those that the caller knows, None where it has fewer. A row that does
    not exist is b"", and None where its key does not hold what it should; so is the part of a feed.
    """

    more: Sequence[bytes] | None
    at: int
    rows: Mapping[Row, bytes | None]
    feeds: Mapping[str, Sequence[bytes] | None]


class Counted(NamedTuple):
    """Counts that were read at one moment, the last append before it, and lengths of games to which was appended."""

    last: bytes
    counts: Mapping[str, bytes]
    lengths: Mapping[str, int]


def family_of(key: str) -> str:
    """Return the first word of a key, which says what it holds.

    >>> family_of("condottiere:{s17}:turns:p17abcdefghjk"), family_of("condottiere:{s17}:due")
    ('turns', 'due')
    """
    return key.split(":")[2]


def name_in(key: str) -> str:
    """Return whose a key is: what comes after its first word, "" where nothing does."""
    return key.split(":", 3)[3] if key.count(":") > 2 else ""


def feed_of(game_id: str, player: str) -> str:
    """Return the key of a player's feed in the shard of a game."""
    return keys.of_shard(keys.shard_of_game(game_id), f"feed:{player}")


class Indexes:
    """The indexes of all shards."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they lie."""
        self._server = server

    def keys_of(self, shard: int) -> set[str]:
        """Return the keys of a shard's logs and indexes; a round trip for about `COUNT` keys of the server.

        Raises: StoreError.
        """
        found, cursor = set[str](), b"0"
        wanted = {*LOGS, *FAMILIES}
        while True:
            cursor, some = self._server.run(SCAN, [_due(shard)], [cursor, _pattern(shard), COUNT])
            found.update(key for key in (name.decode(errors="replace") for name in some) if family_of(key) in wanted)
            if cursor == b"0":
                return found

    def rows_of(self, key: str) -> Iterator[tuple[str, bytes]]:
        """Yield the rows of an index: each member with its value, each row of a feed with b"".

        A row may come twice while others write. A round trip for about `COUNT` rows. Raises: StoreError.
        """
        kind, cursor = FAMILIES[family_of(key)], b"0"
        while True:
            cursor, rows = self._server.run(READ_INDEX, [key], [kind, cursor, COUNT])
            texts = iter(rows)
            pairs = ((row, b"") for row in texts) if kind == "list" else zip(texts, texts, strict=True)
            yield from ((member.decode(errors="surrogateescape"), value) for member, value in pairs)
            if cursor == b"0":
                return

    def read(self, game_log: str, length: int, rows: Iterable[Row], feeds: Iterable[str] = (), game: str = "") -> Found:
        """Return rows of indexes, what feeds hold of a game, and what its log has behind a length; one round trip.

        Raises: StoreError.
        """
        rows, feeds = list(rows), list(feeds)
        wanted = [(row.key, FAMILIES[family_of(row.key)], _sent(row.member)) for row in rows]
        wanted += [(key, "list", _sent(f"{game} ")) for key in feeds]
        args = [part for _, *parts in wanted for part in parts]
        more, at, *found = self._server.run(READ_ROWS, [game_log, *(key for key, *_ in wanted)], [length, *args])
        values = [None if value == 0 else value for value in found]
        parts = zip(rows, values, strict=False), zip(feeds, values[len(rows) :], strict=True)
        return Found(None if more == 0 else more, at, dict(parts[0]), dict(parts[1]))

    def mend(self, log: str, length: int, commands: Iterable[Command]) -> bool:
        """Write rows as commands say, unless the log has another length by now; one round trip.

        Raises: StoreError.
        """
        where, args = [log], list[object]([length])
        for name, key, *arguments in commands:
            where.append(key)
            args += [name, len(arguments), *(_sent(part) if isinstance(part, str) else part for part in arguments)]
        return bool(self._server.run(MEND_ROWS, where, args))

    def mend_feed(self, log: str, length: int, key: str, before: Sequence[bytes], after: Sequence[bytes]) -> bool:
        """Replace the rows of a feed that were read, unless they or the log have changed; one round trip.

        Raises: StoreError.
        """
        digest = hashlib.sha1(b"".join(row + b"\n" for row in before), usedforsecurity=False).hexdigest()
        return bool(self._server.run(MEND_FEED, [log, key], [length, len(before), digest, *after]))

    def times_of(self, shard: int, rows: Sequence[bytes]) -> list[int]:
        """Return when the commits were made that rows of a feed name (ms since the epoch), 0 where none can be read.

        One round trip. Raises: StoreError.
        """
        named = [row.decode(errors="replace").partition(" ") for row in rows]
        reads = [
            ("LINDEX", keys.of_shard(shard, f"log:{game}"), int(seq) - 1 if seq.isdecimal() else 0)
            for game, _, seq in named
        ]
        return [time_of(commit or b"") for commit in self._server.ask_parts(reads)]

    # Counts add up over all games of a shard

    def last_append(self, shard: int) -> bytes:
        """Return what names the last append in a shard, b"" where its outbox knows of none; one round trip.

        Raises: StoreError.
        """
        entries = self._server.ask("XREVRANGE", _outbox(shard), "+", "-", "COUNT", 1)
        return bytes(entries[0][0]) if entries else b""

    def read_counts(self, key: str, shard: int, last: bytes) -> Counted | None:
        """Return the counts of a player in a shard, with what was appended there since the append that `last` names.

        None where the outbox does not reach back so far. One round trip. Raises: StoreError.
        """
        found = self._server.run(READ_COUNTS, [_outbox(shard), key], [last, OUTBOX])
        if found == 0:
            return None
        now, members, appends = found
        fields, parts, lengths = iter(members), iter(appends), dict[str, int]()
        for game, seq in zip(parts, parts, strict=True):
            if keys.is_game_id(name := game.decode(errors="replace")) and (number := whole(seq)) is not None:
                lengths[name] = max(number, lengths.get(name, 0))
        counts = {name.decode(errors="surrogateescape"): count for name, count in zip(fields, fields, strict=True)}
        return Counted(now, counts, lengths)

    def mend_counts(self, key: str, before: Mapping[str, bytes], after: Mapping[str, int]) -> bool:
        """Replace the counts of a player, unless they have changed; one round trip. Raises: StoreError."""
        pairs = [part for counts in (before, after) for name, count in counts.items() for part in (_sent(name), count)]
        return bool(self._server.run(MEND_COUNTS, [key], [len(before), *pairs]))


def _sent(text: str) -> bytes:
    """Return a member as it lies on the server, also one that is not UTF-8."""
    return text.encode(errors="surrogateescape")


def _pattern(shard: int) -> str:
    return keys.of_shard(shard, "*")


def _due(shard: int) -> str:
    return keys.of_shard(shard, "due")


def _outbox(shard: int) -> str:
    return keys.of_shard(shard, "outbox")
