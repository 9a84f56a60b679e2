"""Lists of games: open games, running games, finished games, and the games in which a player has had a seat.

An append to a game's log also updates the game's entry in the lists, which is in the same shard. Readers merge the
entries of all shards. Games are ordered by the time of their last change, latest first. Games that changed in the same
millisecond are ordered by id. A cancelled game remains only in its players' lists of their own games.

A page's cursor names the last entry on the page, and the next page holds older entries. A game that changes in the
meantime moves to the front. A reader may therefore see the game twice, or miss it until the reader starts again from
the beginning.

Private games are in separate lists (`private-open` and so on), and in `private:<player>` instead of `mine:<player>`.
Only the list of a player's own games contains both public and private games. The other lists and their cursors
therefore cannot reveal that a private game exists. While a public game hides its players, the game is in
`private:<player>`, not in `mine:<player>`.

A game's list entry is stored in two rows: `summaries` has the part that rarely changes, and `progress` has the part
that almost every commit changes. Each append writes the row in `progress`. Earlier releases do not write the row in
`progress`, so this row may be out of date. Readers therefore compare the game's version in this row with the length of
the game's log.
"""

from __future__ import annotations

import base64
import binascii
import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from . import keys
from .connection import Server
from .errors import BadCursor
from .rows import object_in
from .tables import read_title, title_of
from .transport import Command

MINE, SEEN = "mine", "seen"
"""The kinds of list that need a player: `mine` has all of the player's games, and `seen` only those that everybody may
see.
"""

Entry = tuple[int, str]
"""The time at which a game last changed (ms since the epoch), and the game's id."""

MAX_EXAMINED = 200
"""The maximum number of entries of a list that one search examines."""
READ_AT_ONCE = 8
"""The maximum number of entries that a search reads from each shard. Games are spread over the shards at random. A
search ends when it has examined all the entries that it read from one of the shards. In a long list, this happens after
the search has examined about 190 entries.
"""


@dataclass(frozen=True)
class Listing:
    """A game's list entry after one of its commits.

    `names` are the lists that now contain the game, apart from its players' own lists. `at` is the time of the change
    (ms since the epoch). The game moves to the front of the lists of all `players`, and leaves the lists of the
    `leavers`. `hides_names` says whether the game hides its players, or is None if the game has never hidden them.
    """

    names: Sequence[str]
    summary: Mapping[str, Any]
    at: int
    players: Sequence[str] = ()
    leavers: Sequence[str] = ()
    hides_names: bool | None = None


class Rows(NamedTuple):
    """A game's stored data for lists: its id, its log's length, its summary, its progress, and its title.

    The summary is None if it cannot be read. The progress is None unless it belongs to the last commit. The title is
    None if the game has none.
    """

    game: str
    length: int
    summary: dict[str, Any] | None
    progress: dict[str, Any] | None
    title: str | None = None


class Found(NamedTuple):
    """The games that a search found, latest change first, and the cursor for the rest of the list (None at the end)."""

    rows: Sequence[Rows]
    cursor: str | None


def write_progress(game_id: str, progress: Mapping[str, Any]) -> Command:
    """Return the command that records a game's progress and `version`. Run the command together with the commit."""
    key = keys.of_shard(keys.shard_of_game(game_id), "progress")
    return ("HSET", key, game_id, orjson.dumps(progress))


def write_listing(game_id: str, listing: Listing) -> list[Command]:
    """Return the commands that update the lists of a game's shard. Run the commands together with the commit."""
    shard = keys.shard_of_game(game_id)
    own, other = (keys.PRIVATE, MINE) if keys.is_private(game_id) or listing.hides_names else (MINE, keys.PRIVATE)
    writes: list[Command] = [("HSET", keys.of_shard(shard, "summaries"), game_id, orjson.dumps(listing.summary))]
    for name in keys.LIST_NAMES:
        writes.append(_write(keys.of_shard(shard, name), game_id, listing.at if name in listing.names else None))
    for player in listing.players:
        writes.append(_write(keys.of_shard(shard, f"{own}:{player}"), game_id, listing.at))
        if listing.hides_names is False:
            writes.append(_write(keys.of_shard(shard, f"{other}:{player}"), game_id, None))
    for player in listing.leavers:
        if player in listing.players:
            continue  # The owner's seat was opened, but the owner still owns the game.
        writes.append(_write(keys.of_shard(shard, f"{own}:{player}"), game_id, None))
        if listing.hides_names is False:
            writes.append(_write(keys.of_shard(shard, f"{other}:{player}"), game_id, None))
    return writes


def _write(key: str, game_id: str, at: int | None) -> Command:
    return ("ZREM", key, game_id) if at is None else ("ZADD", key, at, game_id)


class Lists:
    """The lists of games, merged across all shards."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads."""
        self._server = server

    def page(
        self, kind: str, player: str | None = None, cursor: str | None = None, limit: int = 20
    ) -> tuple[list[dict[str, Any]], str | None]:
        """Return at most `limit` summaries, latest change first, and the next page's cursor (None at the end).

        `kind` is open, running, finished, substitute, mine or seen. `mine` and `seen` require a `player`. Takes two
        round trips: one for the entries of all shards, and another for the current summaries of the games on the page.

        Raises: BadCursor, StoreUnavailable.
        """
        entries, more = self._newest(_list_names(kind, player), None if cursor is None else _entry(cursor), limit)
        return self._summaries(entries), _cursor(entries[-1]) if more else None

    def search(
        self,
        kind: str,
        player: str | None = None,
        cursor: str | None = None,
        limit: int = 20,
        matches: Callable[[Mapping[str, Any]], bool] | None = None,
    ) -> Found:
        """Search a list for games whose summaries match. Return at most `limit` games, latest change first.

        Takes as many round trips as `page`.

        `kind` and `player` have the same meaning as in `page`. If `matches` is given, at most `MAX_EXAMINED` entries
        are examined. A search with `matches` may therefore find fewer than `limit` games, or none, even if the list
        continues after the cursor. Raises: the same errors as `page`.
        """
        names = _list_names(kind, player)
        after = None if cursor is None else _entry(cursor)
        entries, more = self._newest(names, after, limit) if matches is None else self._examined(names, after)
        rows = self.rows([game for _, game in entries]) if entries else {}
        found = [(entry, rows[entry[1]]) for entry in entries if _is_match(rows[entry[1]], matches)]
        if len(found) > limit:
            return Found([row for _, row in found[:limit]], _cursor(found[limit - 1][0]))
        return Found([row for _, row in found], _cursor(entries[-1]) if more else None)

    def _newest(self, names: Sequence[str], after: Entry | None, limit: int) -> tuple[list[Entry], bool]:
        """Merge the next entries of some lists. Return at most `limit` entries, and whether there are more."""
        commands = [
            command
            for shard in range(keys.SHARDS)
            for name in names
            for command in _reads(shard, name, after, limit + 1)
        ]
        entries = {entry for answer in self._server.ask_parts(commands) for entry in keys.games_at(answer or ())}
        newest = heapq.nlargest(limit + 1, [entry for entry in entries if after is None or entry < after])
        return newest[:limit], len(newest) > limit

    def _examined(self, names: Sequence[str], after: Entry | None) -> tuple[list[Entry], bool]:
        """Merge the next entries of some lists. Return at most `MAX_EXAMINED` entries, and whether there are more.

        Only a few entries are read from each shard. If a shard has more entries, those entries are older than the last
        entry that was read from the shard. The result leaves out all entries that are older than this last entry,
        because an unread entry might be newer than they are.
        """
        commands = [_reads(shard, name, after, READ_AT_ONCE) for shard in range(keys.SHARDS) for name in names]
        answers = iter(self._server.ask_parts(command for reads in commands for command in reads))
        entries, oldest, more = set[Entry](), (0, ""), False
        for reads in commands:
            parts = [next(answers) or () for _ in reads]
            for part in parts:
                entries.update(keys.games_at(part))
            if len(parts[-1]) >= 2 * READ_AT_ONCE and (last := keys.games_at(parts[-1])[-1:]):
                oldest, more = max(oldest, *last), True
        newest = sorted((e for e in entries if e >= oldest and (after is None or e < after)), reverse=True)
        return newest[:MAX_EXAMINED], more or len(newest) > MAX_EXAMINED

    def rows(self, games: Iterable[str]) -> dict[str, Rows]:
        """Return each game's stored data for lists, keyed by game id. Takes one round trip.

        Raises: StoreError, and ValueError if an id is malformed.
        """
        by_shard: dict[int, list[str]] = {}
        for game in games:
            by_shard.setdefault(keys.shard_of_game(game), []).append(game)
        # The lengths are read first. If a log's length is equal to the version in the game's progress, no commit was
        # added between the reads, so the summary belongs to the same version.
        reads: list[Command] = []
        for shard, ids in by_shard.items():
            reads += [("LLEN", keys.of_game(game, "log")) for game in ids]
            reads += [("HMGET", keys.of_shard(shard, kind), *ids) for kind in ("summaries", "progress")]
            reads += [read_title(game) for game in ids]
        answers, rows = iter(self._server.ask_parts(reads)), dict[str, Rows]()
        for ids in by_shard.values():
            lengths = [next(answers) or 0 for _ in ids]
            summaries, progress = (next(answers) or [None] * len(ids) for _ in range(2))
            titles = [next(answers) for _ in ids]
            for game, *values in zip(ids, lengths, summaries, progress, titles, strict=True):
                rows[game] = _rows(game, *values)
        return rows

    def changed_in_shard(self, shard: int, since: int) -> list[dict[str, Any]]:
        """Return the summaries of a shard's running games, and of its games that have finished since a given time (ms).

        Takes two round trips. Raises: StoreError.
        """
        begins = ("", f"{keys.PRIVATE}-")
        reads: list[Command] = [
            *(("ZRANGE", keys.of_shard(shard, f"{begin}running"), 0, -1, "WITHSCORES") for begin in begins),
            *(
                ("ZRANGEBYSCORE", keys.of_shard(shard, f"{begin}finished"), since, "+inf", "WITHSCORES")
                for begin in begins
            ),
        ]
        return self._summaries(
            [entry for answer in self._server.ask_parts(reads) for entry in keys.games_at(answer or ())]
        )

    def open_since(self, before: int, limit: int) -> list[str]:
        """Return open games whose entries have not changed since `before` (ms), oldest first.

        Returns at most `limit` games from each list of each shard. Takes one round trip. Raises: StoreUnavailable.
        """
        names = ("open", f"{keys.PRIVATE}-open")
        reads = [
            ("ZRANGEBYSCORE", keys.of_shard(shard, name), "-inf", before, "WITHSCORES", "LIMIT", 0, limit)
            for shard in range(keys.SHARDS)
            for name in names
        ]
        answers = self._server.ask_parts(reads)
        return [game for _, game in sorted(entry for answer in answers for entry in keys.games_at(answer or ()))]

    def summaries(self, games: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return the summaries of games, keyed by game id. A game whose summary cannot be read is left out.

        Takes one round trip. Raises: StoreError, and ValueError if an id is malformed.
        """
        by_shard: dict[int, list[str]] = {}
        for game in games:
            by_shard.setdefault(keys.shard_of_game(game), []).append(game)
        reads = [("HMGET", keys.of_shard(shard, "summaries"), *ids) for shard, ids in by_shard.items()]
        answers = zip(by_shard.values(), self._server.ask_parts(reads), strict=True)
        rows = ((game, row) for ids, answer in answers if answer for game, row in zip(ids, answer, strict=True))
        return {game: summary for game, row in rows if row is not None and (summary := object_in(row)) is not None}

    def _summaries(self, entries: Sequence[Entry]) -> list[dict[str, Any]]:
        summaries = self.summaries(game for _, game in entries) if entries else {}
        return [summaries[game] for _, game in entries if game in summaries]


def _rows(game: str, length: int, summary: bytes | None, progress: bytes | None, title: bytes | None) -> Rows:
    current = None if progress is None else object_in(progress, "version", "turn", "round", "battle")
    if current is not None and current["version"] != length:
        current = None
    return Rows(game, length, None if summary is None else object_in(summary), current, title_of(title))


def _is_match(rows: Rows, matches: Callable[[Mapping[str, Any]], bool] | None) -> bool:
    return rows.summary is not None and (matches is None or matches(rows.summary))


def _list_names(kind: str, player: str | None) -> list[str]:
    if kind == MINE and player is not None:
        return [f"{MINE}:{player}", f"{keys.PRIVATE}:{player}"]
    if kind == SEEN and player is not None:
        return [f"{MINE}:{player}"]
    if kind in keys.LIST_NAMES:
        return [kind]
    raise ValueError(f"there is no list {kind!r}, or it needs a player")


def _reads(shard: int, name: str, after: Entry | None, count: int) -> list[Command]:
    """Return the commands that read a shard's entries with the same time (in ms) as `after` or an earlier time."""
    key = keys.of_shard(shard, name)
    if after is None:
        return [("ZREVRANGEBYSCORE", key, "+inf", "-inf", "WITHSCORES", "LIMIT", 0, count)]
    return [
        ("ZREVRANGEBYSCORE", key, after[0], after[0], "WITHSCORES"),
        ("ZREVRANGEBYSCORE", key, f"({after[0]}", "-inf", "WITHSCORES", "LIMIT", 0, count),
    ]


def _cursor(entry: Entry) -> str:
    return base64.urlsafe_b64encode(f"{entry[0]} {entry[1]}".encode()).decode().rstrip("=")


def _entry(cursor: str) -> Entry:
    try:
        text = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
        at, game = text.split(" ")
        entry = int(at), game
    except (ValueError, binascii.Error) as error:
        raise BadCursor("this cursor does not come from a page of this list") from error
    if not keys.is_game_id(game) or _cursor(entry) != cursor:
        raise BadCursor("this cursor does not come from a page of this list")
    return entry
