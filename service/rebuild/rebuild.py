"""Rebuilds the rows of some games, or of all games and all indexes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ..config import Config
from ..store import Store, keys
from ..store.errors import CorruptLog, StoreUnavailable
from .deriving import derive
from .findings import UNKNOWN, Finding, RebuildError
from .one_game import compare_game
from .one_shard import Shard
from .run import RebuildRun


@contextmanager
def open_rebuild(config: Config, games: Sequence[str], *, mends: bool) -> Iterator[RebuildRun]:
    """Yield a rebuild of the named games, or of everything if no game is named.

    The rebuild's store is closed afterwards.
    """
    store = Store(config)
    try:
        yield RebuildRun(store, lambda: time.time_ns() // 1_000_000, mends, games)
    finally:
        store.close()


def rebuild(run: RebuildRun, advance: Callable[[], None] = lambda: None) -> Iterator[Finding]:
    """Yield the differences. Call `advance` whenever the rebuild makes progress.

    Only a rebuild of all games compares statistics, and finds rows that cannot be derived from any log. Raises:
    RebuildError.
    """
    for game in run.games:
        if not keys.is_game_id(game):
            raise RebuildError(f"{game!r} is not a valid game id")
    try:
        yield from _games(run, advance) if run.games else _all(run, advance)
    except StoreUnavailable as error:
        raise RebuildError(str(error)) from error


def _all(run: RebuildRun, advance: Callable[[], None]) -> Iterator[Finding]:
    for shard in range(keys.SHARDS):
        yield from Shard(run, shard).compare(advance)
        run.done += 1
        advance()


def _games(run: RebuildRun, advance: Callable[[], None]) -> Iterator[Finding]:
    for game in run.games:
        shard = keys.shard_of_game(game)
        if _exists(run, shard, game):
            yield from compare_game(run, shard, game)
            run.games_read += 1
        else:
            yield Finding(keys.of_game(game, "log"), "", UNKNOWN)
        run.done += 1
        advance()


def _exists(run: RebuildRun, shard: int, game: str) -> bool:
    """Return whether a game exists. The game's log need not be readable. Raises: StoreUnavailable."""
    try:
        return derive(run.store, shard, game).game is not None
    except CorruptLog:
        return True
