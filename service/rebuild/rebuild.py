"""The rebuild of some games, or of all games and whatever else their indexes hold."""

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
from .rebuilding import Rebuilding


@contextmanager
def opened(config: Config, only: Sequence[str], *, mends: bool) -> Iterator[Rebuilding]:
    """Yield a rebuild of some games, or without any of everything; its store is closed afterwards."""
    store = Store(config)
    try:
        yield Rebuilding(store, lambda: time.time_ns() // 1_000_000, mends, only)
    finally:
        store.close()


def rebuild(rebuilding: Rebuilding, advance: Callable[[], None] = lambda: None) -> Iterator[Finding]:
    """Yield what differs; `advance` is called whenever the rebuild is further.

    Where only some games are rebuilt, rows that name them and that their logs have never written are not looked for,
    and statistics are not compared: that takes all games. Raises: RebuildError.
    """
    for game in rebuilding.only:
        if not keys.is_game_id(game):
            raise RebuildError(f"{game!r} is not a valid id of a game")
    try:
        yield from _games(rebuilding, advance) if rebuilding.only else _all(rebuilding, advance)
    except StoreUnavailable as error:
        raise RebuildError(str(error)) from error


def _all(rebuilding: Rebuilding, advance: Callable[[], None]) -> Iterator[Finding]:
    for shard in range(keys.SHARDS):
        yield from Shard(rebuilding, shard).compare(advance)
        rebuilding.done += 1
        advance()


def _games(rebuilding: Rebuilding, advance: Callable[[], None]) -> Iterator[Finding]:
    for game in rebuilding.only:
        shard = keys.shard_of_game(game)
        if _exists(rebuilding, shard, game):
            yield from compare_game(rebuilding, shard, game)
            rebuilding.read += 1
        else:
            yield Finding(keys.of_game(game, "log"), "", UNKNOWN)
        rebuilding.done += 1
        advance()


def _exists(rebuilding: Rebuilding, shard: int, game: str) -> bool:
    """Tell whether there is a game, be it one whose log cannot be read. Raises: StoreUnavailable."""
    try:
        return derive(rebuilding.store, shard, game).game is not None
    except CorruptLog:
        return True
