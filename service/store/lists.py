"""Lists of games: open, running, finished, and the games that a player has sat in.

The append that changes a game also changes its entry, in the game's shard; a reader merges the shards. Games are
ordered by the time of their last change, newest first, and within a millisecond by id. A page's cursor names the last
entry shown, and the next page holds older entries. A game that changes in the meantime moves to the front: a reader may
see it twice, and misses it only until it reads from the front again. A cancelled game leaves `open` and stays in the
`mine` lists.
"""

from __future__ import annotations

import base64
import binascii
import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from . import keys
from .connection import Server
from .errors import BadCursor
from .rows import object_in
from .transport import Command

Entry = tuple[int, str]
"""When a game last changed (ms since the epoch), and its id."""


@dataclass(frozen=True)
class Listing:
    """A game's entry in lists after one of its commits.

    `names` are the lists that the game is in from now on, besides its players' own; `at` is the time of the change (ms
    since the epoch). The game moves to the front of the lists of all `players`, and leaves the lists of the `leavers`.
    """

    names: Sequence[str]
    summary: Mapping[str, Any]
    at: int
    players: Sequence[str] = ()
    leavers: Sequence[str] = ()


def write_listing(game_id: str, listing: Listing) -> list[Command]:
    """Return the commands that update the lists of a game's shard, to be written with a commit."""
    shard = keys.shard_of_game(game_id)
    writes: list[Command] = [("HSET", keys.of_shard(shard, "summaries"), game_id, orjson.dumps(listing.summary))]
    for name in keys.LIST_NAMES:
        writes.append(_write(keys.of_shard(shard, name), game_id, listing.at if name in listing.names else None))
    for player in listing.players:
        writes.append(_write(keys.of_shard(shard, f"mine:{player}"), game_id, listing.at))
    for player in listing.leavers:
        writes.append(_write(keys.of_shard(shard, f"mine:{player}"), game_id, None))
    return writes


def _write(key: str, game_id: str, at: int | None) -> Command:
    return ("ZREM", key, game_id) if at is None else ("ZADD", key, at, game_id)


class Lists:
    """The lists of games, merged over all shards."""

    def __init__(self, server: Server) -> None:
        """Take the server that stores them."""
        self._server = server

    def page(
        self, kind: str, player: str | None = None, cursor: str | None = None, limit: int = 20
    ) -> tuple[list[dict[str, Any]], str | None]:
        """Return at most `limit` summaries, newest first, and the cursor of the next page, None after the last.

        `kind` is open, running, finished, substitute or mine; mine needs the `player`. Two round trips: one for the
        entries of all shards, and one for the current summaries of the games on the page.

        Raises: BadCursor, StoreUnavailable.
        """
        name = _list_name(kind, player)
        after = None if cursor is None else _entry(cursor)
        commands = [command for shard in range(keys.SHARDS) for command in _reads(shard, name, after, limit + 1)]
        entries = {entry for answer in self._server.ask_parts(commands) for entry in keys.games_at(answer or ())}
        older = [entry for entry in entries if after is None or entry < after]
        newest = heapq.nlargest(limit + 1, older)
        page = newest[:limit]
        return self._summaries(page), _cursor(page[-1]) if len(newest) > limit else None

    def changed_in_shard(self, shard: int, since: int) -> list[dict[str, Any]]:
        """Return the summaries of a shard's running games, and of those that finished since a time (ms).

        Two round trips. Raises: StoreError.
        """
        running, finished = (keys.of_shard(shard, name) for name in ("running", "finished"))
        reads: list[Command] = [
            ("ZRANGE", running, 0, -1, "WITHSCORES"),
            ("ZRANGEBYSCORE", finished, since, "+inf", "WITHSCORES"),
        ]
        return self._summaries(
            [entry for answer in self._server.ask_parts(reads) for entry in keys.games_at(answer or ())]
        )

    def summaries(self, games: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return the summaries of games, by their ids; a game whose summary cannot be read is left out.

        One round trip. Raises: StoreError, and ValueError if an id is malformed.
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


def _list_name(kind: str, player: str | None) -> str:
    if kind == "mine" and player is not None:
        return f"mine:{player}"
    if kind in keys.LIST_NAMES:
        return kind
    raise ValueError(f"there is no list {kind!r}, or it needs a player")


def _reads(shard: int, name: str, after: Entry | None, count: int) -> list[Command]:
    """Return the reads of a shard for entries older than `after`; they include all of the same millisecond."""
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
        raise BadCursor("this cursor was not given by a page") from error
    if not keys.is_game_id(game) or _cursor(entry) != cursor:
        raise BadCursor("this cursor was not given by a page")
    return entry
