"""One game: reads a game's log together with the game's rows in all indexes, compares them, and repairs the rows.

Rows are repaired only if the log still has the same length. If the log's length has changed, the game is reread and
compared again.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..games.game import Game, rebuild
from ..store import keys
from ..store.effects import Row, removal
from ..store.errors import CorruptLog, DamagedData
from ..store.indexes import FAMILIES, IndexState, family_of
from ..store.orders import StoredOrders
from ..store.transport import Command
from ..timekeeping.rounds import RARELY
from .deriving import ORDERS, IndexRows, derive, derive_from_game, log_of
from .feeds import mend_feed
from .findings import DIFFERENT, FOREIGN, MISSING, UNSTABLE, Finding
from .leeway import Leeway, latest_look, orders_act
from .run import ATTEMPTS, RebuildRun

_SET_ASIDE = 1000
"""The maximum number of set-aside games that are read. They are read because their alarms may be later than usual."""


class _Differences(NamedTuple):
    """The differences in one game: wrong rows with the commands that repair them, wrong feeds, and unreadable keys."""

    rows: Mapping[Row, Command]
    feeds: Sequence[str]
    damaged: Sequence[str]


def compare_game(
    run: RebuildRun, shard: int, name: str, rows: Iterable[Row] = (), feeds: Iterable[str] | None = None
) -> Iterator[Finding]:
    """Yield the rows that differ from a game's log. If the rebuild makes repairs, this function repairs the rows before
    it yields them.

    `rows` are rows that were found in the indexes, whether or not they can be derived from the log. Only the feeds in
    `feeds` are compared. If `feeds` is None, all feeds to which the log has written are compared. Raises:
    StoreUnavailable.
    """
    log = log_of(shard, name)
    try:
        for _ in range(ATTEMPTS):
            reading = _read_at_once(run, shard, name, rows, feeds)
            if reading is None:
                continue
            index_rows, commands, state = reading
            if index_rows.game is not None:
                yield from run.report_wrong_hash(log, index_rows.game)
            differences = _differences(run, index_rows, commands, state)
            for key in differences.damaged:
                yield from run.report_damage(key)
            if (yield from _mend(run, shard, name, index_rows, differences, state)):
                return
        yield Finding(log, "", UNSTABLE)
    except CorruptLog:
        yield from run.report_damage(log)
    except DamagedData as error:
        yield from run.report_damage(error.key or log)


def _read_at_once(
    run: RebuildRun, shard: int, name: str, rows: Iterable[Row], feeds: Iterable[str] | None
) -> tuple[IndexRows, dict[Row, Command], IndexState] | None:
    """Return the index rows of a game, the command for each row, and the state of the indexes, all read together.

    An earlier read of the log determines which rows are read. If later commits have added rows, the result is None.
    Raises: StoreError.
    """
    index_rows = derive(run.store, shard, name)
    rows_read = _commands(index_rows, rows).keys() | index_rows.unchecked
    feeds_read = list(index_rows.feeds if feeds is None else feeds)
    state = run.store.indexes.read(index_rows.log, index_rows.length, rows_read, feeds_read, name)
    if state.later_commits is None or (state.later_commits and index_rows.game is None):
        return None
    if state.later_commits and index_rows.game is not None:
        index_rows = derive_from_game(
            rebuild(index_rows.game.commits.followed_by(state.later_commits), index_rows.game.seed)
        )
    commands = _commands(index_rows, rows)
    complete = commands.keys() <= rows_read and (feeds is not None or index_rows.feeds.keys() <= set(feeds_read))
    return (index_rows, commands, state) if complete else None


def _commands(index_rows: IndexRows, rows: Iterable[Row]) -> dict[Row, Command]:
    """Return the command for each row.

    If a row can be derived from the log, its command writes the row. Otherwise, the command removes the row.
    """
    foreign = {row: removal(row, FAMILIES[family_of(row.key)]) for row in rows if row not in index_rows.unchecked}
    return {**foreign, **index_rows.rows}


def _differences(
    run: RebuildRun, index_rows: IndexRows, commands: Mapping[Row, Command], state: IndexState
) -> _Differences:
    damaged = {row.key for row, value in state.rows.items() if value is None}
    damaged |= {key for key, rows in state.feeds.items() if rows is None}
    expected = dict(commands)
    if index_rows.game is not None:
        damaged |= _adjust_due(index_rows.game, expected, state)
    leeway = Leeway(_latest(run, index_rows.game), state.at)
    rows = {
        row: _not_in_future(command, state.at)
        for row, command in expected.items()
        if (value := state.rows[row]) is not None and not leeway.holds(command, value)
    }
    feeds = [key for key, lines in state.feeds.items() if lines is not None and not _feed_holds(index_rows, key, lines)]
    return _Differences(rows, feeds, sorted(damaged))


def _adjust_due(game: Game, expected: dict[Row, Command], state: IndexState) -> set[str]:
    """Adjust the expected row in `due` to the standing orders of the seat to act.

    Return the keys that cannot be read.
    """
    key = keys.of_shard(keys.shard_of_game(game.id), "due")
    orders, history = (Row(keys.of_game(game.id, kind), str(game.seat_to_act)) for kind in ORDERS)
    try:
        acts = orders_act(game, StoredOrders(state.rows.get(orders) or b"", state.rows.get(history) or b""))
    except ValueError:
        del expected[Row(key, game.id)]
        return {orders.key}
    if acts is None:
        del expected[Row(key, game.id)]
    elif acts:
        expected[Row(key, game.id)] = ("ZADD", key, game.changed_at, game.id)
    return set()


def _latest(run: RebuildRun, game: Game | None) -> int | None:
    """Return the latest allowed time of a game's alarm. The limit is later for a set-aside game. Raises: StoreError."""
    if game is None:
        return None
    now = run.now()
    latest = latest_look(game, now)
    aside, _ = run.store.set_aside.first(_SET_ASIDE)
    return latest if latest is None or all(other.game != game.id for other in aside) else max(latest, now + RARELY)


def _not_in_future(command: Command, at: int) -> Command:
    """Return the command that repairs a row, without writing a time later than `at` to `due`.

    `at` is the log server's time (in ms). If `command` would write a later time to `due`, the returned command writes
    `at` instead.
    """
    name, key, *arguments = command
    return (name, key, min(arguments[0], at), *arguments[1:]) if (name, family_of(key)) == ("ZADD", "due") else command


def _feed_holds(index_rows: IndexRows, key: str, lines: Sequence[bytes]) -> bool:
    return [line.decode(errors="surrogateescape") for line in lines] == list(index_rows.feeds.get(key, ()))


def _mend(
    run: RebuildRun, shard: int, name: str, index_rows: IndexRows, differences: _Differences, state: IndexState
) -> Generator[Finding, None, bool]:
    """Repair the differences (unless the rebuild only checks) and yield them. Return False if the game or a feed
    changed.

    Raises: StoreError.
    """
    store, mends = run.store, run.mends
    row_commands = differences.rows.values()
    if mends and row_commands and not store.indexes.mend(index_rows.log, index_rows.length, row_commands):
        return False
    for row, command in differences.rows.items():
        yield Finding(*row, _difference(command[0] not in ("HDEL", "ZREM"), bool(state.rows[row])), mends)
    unchanged = True
    for key in differences.feeds:
        if mends and not mend_feed(store, shard, name, index_rows, key):
            unchanged = False
        else:
            yield Finding(key, name, _difference(bool(index_rows.feeds.get(key)), bool(state.feeds[key])), mends)
    return unchanged


def _difference(is_expected: bool, exists: bool) -> str:
    """Describe what is wrong with a row, given whether the row can be derived from the log and whether it exists."""
    return FOREIGN if not is_expected else DIFFERENT if exists else MISSING
