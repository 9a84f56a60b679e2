"""A migration for tests: the keys of logs get a different name, and each shard counts its games.

As a program, it migrates a store and reports each batch: `python -m tests.service.store.toy URL`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from service.store import Store
from service.store.connection import Server
from service.store.keys import of_game, of_shard
from service.store.layout import LAYOUT
from service.store.migration import Batch, Migrations

from .games import config

AT_ONCE = 2
"""The number of games in a batch."""


def rename_logs(server: Server, shard: int, cursor: str) -> Batch:
    """Rename the next logs of a shard."""
    games = _games_after(server, shard, cursor)
    writes = [
        command
        for game in games
        for command in (
            ("COPY", of_game(game, "log"), of_game(game, "history"), "REPLACE"),
            ("DEL", of_game(game, "log")),
        )
    ]
    return Batch(writes, games[-1] if games else None)


def count_games(server: Server, shard: int, cursor: str) -> Batch:
    """Count the next games of a shard; a game that is counted twice can be seen."""
    games = _games_after(server, shard, cursor)
    counted = ("INCRBY", of_shard(shard, "games"), len(games))
    return Batch([counted], games[-1]) if games else Batch([], None)


def _games_after(server: Server, shard: int, cursor: str) -> Sequence[str]:
    games = sorted(game.decode() for game in server.ask("HKEYS", of_shard(shard, "summaries")))
    return [game for game in games if game > cursor][:AT_ONCE]


NEXT = LAYOUT + 1
MIGRATIONS: Migrations = {LAYOUT: (rename_logs, count_games)}


def next_store(url: str, *, cluster: bool = False) -> Store:
    """Return a store as the version with the next layout sees it."""
    return Store(config(url, cluster=cluster), layout=NEXT)


if __name__ == "__main__":
    for _ in next_store(sys.argv[1]).migrate(MIGRATIONS):
        print("a batch is written", flush=True)
    print("all is migrated", flush=True)
