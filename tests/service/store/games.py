"""Commits and games for tests of the store, which does not interpret them."""

from __future__ import annotations

from typing import Any

from service.config import Config
from service.store import Store
from service.store.feeds import append_to_feeds
from service.store.keys import LIST_NAMES, of_game, of_shard, shard_of_game
from service.store.lists import Listing, write_listing
from service.store.log import Addition

SEED = bytes(range(32))
GAME = "17abcdefghjkmnpqrs"
OTHER = "18abcdefghjkmnpqrs"
NOW = 1_790_000_000_000


def config(url: str, *, cluster: bool = False, stated: bool = False, waits: int = 200) -> Config:
    """Return a configuration for a log server."""
    return Config(redis_url=url, queue_url=url, redis_cluster=cluster, durability_stated=stated, max_waits=waits)


def commit(seq: int, by: str = "bot:0") -> dict[str, Any]:
    """Return a commit that differs from all others."""
    return {
        "seq": seq,
        "at": NOW + seq,
        "by": by,
        "key": f"{by}-{seq}",
        "fingerprint": "",
        "revision": 1,
        "events": [{"type": "seat-passed"}],
    }


def append(store: Store, game: str, expected: int, **more: Any) -> bool:
    """Append a commit; the commit itself and all other parts of the addition can be given."""
    fed_to = append_to_feeds(game, expected + 1, more.get("players", []))
    asked = {"commit": commit(expected + 1), "seed": None if expected else SEED, "writes": fed_to, **more}
    return store.log.append(Addition(game=game, expected=expected, **asked)) is not None


def make_due(store: Store, game: str, due: int) -> None:
    """Record that a bot must act in a game since a given time."""
    store._server.ask("ZADD", of_shard(shard_of_game(game), "due"), due, game)


def time_of(store: Store, game: str) -> int:
    """Return the time of the server that stores a game (ms since the epoch)."""
    seconds, micros = store._server.ask("EVAL", "return redis.call('TIME')", 1, of_game(game, "log"))
    return int(seconds) * 1000 + int(micros) // 1000


def list_game(store: Store, game: str, expected: int, status: str, at: int, *players: str, **more: Any) -> None:
    """Append a commit that changes the lists."""
    names = [status] if status in LIST_NAMES else []
    listing = Listing(names, {"id": game, "status": status}, at, players, **more)
    assert append(store, game, expected, writes=write_listing(game, listing))


def game_id(shard: int, number: int) -> str:
    """Return a game id with this shard and number."""
    return f"{shard:02d}{number:016d}"
