"""Deriving: what must stand beside a log, because its commits have written it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine import EngineError

from ..games.changes import Change, thought_of
from ..games.events import TableOpened
from ..games.game import Game, Snapshot, rebuild, table_to_open
from ..games.projections import PROJECTIONS
from ..games.table import RUNNING
from ..store import Store, keys
from ..store.errors import CorruptLog
from ..store.indexes import family_of
from ..store.orders import forgotten, withdrawn
from ..store.transport import Command
from ..store.written import Row, Written

ORDERS = ("orders", "orders-history")


@dataclass(frozen=True)
class Derived:
    """What must stand beside the log of a game, which has a length; nothing where there is no log, and no `game`.

    `rows` has for each row the command that writes or removes it. Rows in `free` may hold anything, or not exist:
    they are not derived. `feeds` has the game's rows in each feed, in order; `counts` are by key and field.
    """

    log: str
    length: int = 0
    game: Game | None = field(default=None, repr=False)
    rows: Mapping[Row, Command] = field(default_factory=dict)
    free: frozenset[Row] = frozenset()
    feeds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    counts: Mapping[str, Counter[str]] = field(default_factory=dict)


def derive(store: Store, shard: int, name: str) -> Derived:
    """Return what must stand in a shard of a game; nothing where no game of this shard has this name.

    One round trip. Raises: CorruptLog, StoreUnavailable.
    """
    mine = keys.is_game_id(name) and keys.shard_of_game(name) == shard
    loaded = store.log.load(name) if mine else None
    if loaded is None:
        return Derived(log_of(shard, name))
    return derived_from(rebuild(loaded.commits, loaded.seed))


def log_of(shard: int, name: str) -> str:
    """Return the key of a log; what names no game has one too, at which nothing is."""
    return keys.of_shard(shard, f"log:{name.encode('ascii', 'replace').decode()}")


def derived_from(game: Game) -> Derived:
    """Return what must stand beside the log of a game. Raises: CorruptLog."""
    written = Written()
    for change in changes_of(game):
        for project in PROJECTIONS:
            for command in project(change):
                written.write(command)
    rows = {row: command for row, command in written.rows.items() if family_of(row.key) not in ORDERS}
    rows.update(_no_orders(game))
    rows.update(_due(game))
    free = {Row(keys.of_game(game.id, kind), str(seat)) for kind in ORDERS for seat in range(len(game.table.seats))}
    return Derived(
        keys.of_game(game.id, "log"),
        game.version,
        game,
        rows,
        frozenset(free - rows.keys()),
        written.feeds,
        written.counts,
    )


def changes_of(game: Game) -> Iterator[Change]:
    """Yield each change that a game's log has been appended as, in order. Raises: CorruptLog."""
    commits = game.since(0)
    opened = commits[0].events[0]
    assert isinstance(opened, TableOpened), "a log that was replayed begins so"
    before: Snapshot = table_to_open(game.id, game.seed, opened)
    try:
        for commit in commits:
            after = before.after(commit.at, commit.events)
            yield Change(after, commit, thought_of(before, commit))
            before = after
    except (EngineError, AssertionError, LookupError, TypeError, ValueError) as error:
        raise CorruptLog(game.id) from error


def _no_orders(game: Game) -> Mapping[Row, Command]:
    """Return what removes orders that cannot stand: orders are given while the game runs, by who moves for a seat."""
    seats = range(len(game.table.seats))
    moving = game.thinking() if game.status == RUNNING else []
    written = Written()
    for command in withdrawn(game.id, [seat for seat in seats if seat not in moving]):
        written.write(command)
    for command in forgotten(game.id, [seat for seat in seats if game.table.seats[seat].player is None]):
        written.write(command)
    return written.rows


def _due(game: Game) -> Mapping[Row, Command]:
    """Return that a bot must act since the last commit, or that none must; standing orders are not derived."""
    key = keys.of_shard(keys.shard_of_game(game.id), "due")
    acts = game.bot_to_act() is not None
    return {Row(key, game.id): ("ZADD", key, game.changed_at, game.id) if acts else ("ZREM", key, game.id)}
