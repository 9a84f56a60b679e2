"""Deriving: computes the index rows that a log's commits have written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine import EngineError

from ..games.changes import Change, thinking_time
from ..games.events import TableOpened
from ..games.game import Game, Snapshot, rebuild, unopened_game
from ..games.projections import PROJECTIONS
from ..games.table import RUNNING
from ..store import Store, keys
from ..store.effects import Effects, Row
from ..store.errors import CorruptLog
from ..store.indexes import family_of
from ..store.orders import forget_orders, withdraw_orders
from ..store.transport import Command

ORDERS = ("orders", "orders-history")


@dataclass(frozen=True)
class IndexRows:
    """The index rows of a game, derived from its log of `length` commits.

    If there is no log, `game` is None and `rows` is empty. `rows` maps each row to the command that writes or removes
    it. The rows in `unchecked` cannot be derived from the log, so they may have any value or be missing. `feeds` maps
    the key of each feed to the game's rows in it, in order. `counts` holds the counts that the game adds to statistics,
    by key and field.
    """

    log: str
    length: int = 0
    game: Game | None = field(default=None, repr=False)
    rows: Mapping[Row, Command] = field(default_factory=dict)
    unchecked: frozenset[Row] = frozenset()
    feeds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    counts: Mapping[str, Counter[str]] = field(default_factory=dict)


def derive(store: Store, shard: int, name: str) -> IndexRows:
    """Return a game's index rows. If this shard has no such game, the result has no rows.

    Takes one round trip. Raises: CorruptLog, StoreUnavailable.
    """
    in_shard = keys.is_game_id(name) and keys.shard_of_game(name) == shard
    loaded = store.log.load(name) if in_shard else None
    if loaded is None:
        return IndexRows(log_of(shard, name))
    return derive_from_game(rebuild(loaded.commits, loaded.seed))


def log_of(shard: int, name: str) -> str:
    """Return the key of a game's log. For a name that is not a game's id, return a key that does not exist."""
    return keys.of_shard(shard, f"log:{name.encode('ascii', 'replace').decode()}")


def derive_from_game(game: Game) -> IndexRows:
    """Return a game's index rows. Raises: CorruptLog."""
    effects = Effects()
    for change in changes_of(game):
        for project in PROJECTIONS:
            for command in project(change):
                effects.write(command)
    rows = {row: command for row, command in effects.rows.items() if family_of(row.key) not in ORDERS}
    rows.update(_no_orders(game))
    rows.update(_due_row(game))
    unchecked = {
        Row(keys.of_game(game.id, kind), str(seat)) for kind in ORDERS for seat in range(len(game.table.seats))
    }
    return IndexRows(
        keys.of_game(game.id, "log"),
        game.version,
        game,
        rows,
        frozenset(unchecked - rows.keys()),
        effects.feeds,
        effects.counts,
    )


def changes_of(game: Game) -> Iterator[Change]:
    """Yield a game's changes in order, one for each commit of its log. Raises: CorruptLog."""
    commits = game.since(0)
    opening = commits[0].events[0]
    assert isinstance(opening, TableOpened), "a replayed log begins with this event"
    before: Snapshot = unopened_game(game.id, game.seed, opening)
    try:
        for commit in commits:
            after = before.after(commit.at, commit.events, commit.by)
            yield Change(after, commit, thinking_time(before, commit))
            before = after
    except (EngineError, AssertionError, LookupError, TypeError, ValueError) as error:
        raise CorruptLog(game.id) from error


def _no_orders(game: Game) -> Mapping[Row, Command]:
    """Return the commands that remove the orders of seats that cannot have orders.

    Only seats whose players make their own moves have orders, and only while the game is running.
    """
    seats = range(len(game.table.seats))
    seats_of_people = game.seats_of_people() if game.status == RUNNING else []
    effects = Effects()
    for command in withdraw_orders(game.id, [seat for seat in seats if seat not in seats_of_people]):
        effects.write(command)
    for command in forget_orders(game.id, [seat for seat in seats if game.table.seats[seat].player is None]):
        effects.write(command)
    return effects.rows


def _due_row(game: Game) -> Mapping[Row, Command]:
    """Return the command that adds a game to `due` if a bot must act, or removes the game from `due` otherwise.

    Standing orders are ignored.
    """
    key = keys.of_shard(keys.shard_of_game(game.id), "due")
    acts = game.bot_to_act() is not None
    return {Row(key, game.id): ("ZADD", key, game.changed_at, game.id) if acts else ("ZREM", key, game.id)}
