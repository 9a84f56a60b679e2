"""Lists of games: open, running, finished, and those that a player has sat in.

The append that changes a game changes its entry in the same instant, in the game's own shard; a reader merges the
shards. A game stands at the time of its last change there, newest first, and games of the same millisecond by id. A
page's cursor names the last entry shown: whatever is older follows, and a game that changes meanwhile moves to the
front, so it may be met twice but is never passed over by those who start again at the front. A cancelled game leaves
`open` and stays in the `mine` lists.
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
"""When a game changed last (ms since the epoch), and its id."""


@dataclass(frozen=True)
class Listing:
    """What lists show of a game from one of its commits on.

    `names` are the lists that it stands in from now on, besides its players'; `at` is the time of the change (ms since
    the epoch). The game comes to the front in the lists of all `players`, and leaves the lists of those in `left`.
    """

    names: Sequence[str]
    summary: Mapping[str, Any]
    at: int
    players: Sequence[str] = ()
    left: Sequence[str] = ()


def listed(game_id: str, listing: Listing) -> list[Command]:
    """Return what keeps the lists of a game's shard, to be written with the commit that changes them."""
    shard = keys.shard_of_game(game_id)
    writes: list[Command] = [("HSET", keys.of_shard(shard, "summaries"), game_id, orjson.dumps(listing.summary))]
    for name in keys.LISTED:
        writes.append(_write(keys.of_shard(shard, name), game_id, listing.at if name in listing.names else None))
    for player in listing.players:
        writes.append(_write(keys.of_shard(shard, f"mine:{player}"), game_id, listing.at))
    for player in listing.left:
        writes.append(_write(keys.of_shard(shard, f"mine:{player}"), game_id, None))
    return writes


def _write(key: str, game_id: str, at: int | None) -> Command:
    return ("ZREM", key, game_id) if at is None else ("ZADD", key, at, game_id)


class Lists:
    """The lists of games, merged over all shards."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they lie."""
        self._server = server

    def page(
        self, kind: str, player: str | None = None, cursor: str | None = None, limit: int = 20
    ) -> tuple[list[dict[str, Any]], str | None]:
        """Return at most `limit` summaries, newest first, and the cursor of the next page, None after the last.

        `kind` is open, running, finished or mine; mine needs the `player`. Two round trips: the shards' entries, and
        the summaries of those that the page shows, which are the newest ones of these games.

        Raises: BadCursor, StoreUnavailable.
        """
        name = _list_name(kind, player)
        after = None if cursor is None else _entry(cursor)
        commands = [command for shard in range(keys.SHARDS) for command in _reads(shard, name, after, limit + 1)]
        found = {entry for answer in self._server.ask_parts(commands) for entry in keys.games_at(answer or ())}
        older = [entry for entry in found if after is None or entry < after]
        newest = heapq.nlargest(limit + 1, older)
        shown = newest[:limit]
        return self._summaries(shown), _cursor(shown[-1]) if len(newest) > limit else None

    def changed_in_shard(self, shard: int, since: int) -> list[dict[str, Any]]:
        """Return the summaries of a shard's running games, and of those that were finished since a time (ms).

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
        """Return what lists show of some games, by their ids; a game is left out where nothing can be read of it.

        One round trip. Raises: StoreError, and ValueError where an id has not the shape of one.
        """
        by_shard: dict[int, list[str]] = {}
        for game in games:
            by_shard.setdefault(keys.shard_of_game(game), []).append(game)
        reads = [("HMGET", keys.of_shard(shard, "summaries"), *ids) for shard, ids in by_shard.items()]
        found = zip(by_shard.values(), self._server.ask_parts(reads), strict=True)
        rows = ((game, row) for ids, answer in found if answer for game, row in zip(ids, answer, strict=True))
        return {game: summary for game, row in rows if row is not None and (summary := object_in(row)) is not None}

    def _summaries(self, entries: Sequence[Entry]) -> list[dict[str, Any]]:
        found = self.summaries(game for _, game in entries) if entries else {}
        return [found[game] for _, game in entries if game in found]


def _list_name(kind: str, player: str | None) -> str:
    if kind == "mine" and player is not None:
        return f"mine:{player}"
    if kind in keys.LISTED:
        return kind
    raise ValueError(f"there is no list {kind!r}, or it needs a player")


def _reads(shard: int, name: str, after: Entry | None, count: int) -> list[Command]:
    """Return what to ask a shard: entries older than `after`, and all of the same millisecond (to be sifted)."""
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
