"""One game: its rows in all indexes are read at one moment, compared with its log at that moment, and mended.

Rows are mended only while the log is as long as it was then; where it is not, all is done again.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..games.game import Game, rebuild
from ..store import keys
from ..store.errors import CorruptLog, DamagedData
from ..store.indexes import FAMILIES, Found, family_of
from ..store.orders import Kept
from ..store.transport import Command
from ..store.written import Row, removal
from ..timekeeping.rounds import RARELY
from .deriving import ORDERS, Derived, derive, derived_from, log_of
from .feeds import mend_feed
from .findings import DIFFERENT, FOREIGN, MISSING, UNSETTLED, Finding
from .leeway import Leeway, latest_look, orders_act
from .rebuilding import ATTEMPTS, Rebuilding

_SET_ASIDE = 1000
"""How many games that are set aside are asked for: alarms of these may be later."""


class _Differences(NamedTuple):
    """What differs beside one log: rows, each with the command that mends it, feeds, and keys that cannot be read."""

    rows: Mapping[Row, Command]
    feeds: Sequence[str]
    damaged: Sequence[str]


def compare_game(
    rebuilding: Rebuilding, shard: int, name: str, rows: Iterable[Row] = (), feeds: Iterable[str] | None = None
) -> Iterator[Finding]:
    """Yield what differs from the log of a game, after mending it if the rebuild mends.

    `rows` were found in indexes, whether or not they follow from the log. `feeds` are compared; without it, all those
    that the log has written. Raises: StoreUnavailable.
    """
    log = log_of(shard, name)
    try:
        for _ in range(ATTEMPTS):
            seen = _read_at_once(rebuilding, shard, name, rows, feeds)
            if seen is None:
                continue
            derived, wanted, found = seen
            differences = _differences(rebuilding, derived, wanted, found)
            for key in differences.damaged:
                yield from rebuilding.damage(key)
            if (yield from _settle(rebuilding, shard, name, derived, differences, found)):
                return
        yield Finding(log, "", UNSETTLED)
    except CorruptLog:
        yield from rebuilding.damage(log)
    except DamagedData as error:
        yield from rebuilding.damage(error.key or log)


def _read_at_once(
    rebuilding: Rebuilding, shard: int, name: str, rows: Iterable[Row], feeds: Iterable[str] | None
) -> tuple[Derived, dict[Row, Command], Found] | None:
    """Return what must stand beside a log, row by row, and what stands there at the same moment.

    What to read follows from the log as it was just before; None where since then more has come to be read. Raises:
    StoreError.
    """
    derived = derive(rebuilding.store, shard, name)
    read = _wanted(derived, rows).keys() | derived.free
    compared = list(derived.feeds if feeds is None else feeds)
    found = rebuilding.store.indexes.read(derived.log, derived.length, read, compared, name)
    if found.more is None or (found.more and derived.game is None):
        return None
    if found.more and derived.game is not None:
        derived = derived_from(rebuild(derived.game.commits.followed_by(found.more), derived.game.seed))
    wanted = _wanted(derived, rows)
    complete = wanted.keys() <= read and (feeds is not None or derived.feeds.keys() <= set(compared))
    return (derived, wanted, found) if complete else None


def _wanted(derived: Derived, rows: Iterable[Row]) -> dict[Row, Command]:
    """Return what each row must hold: what the log says, and nothing in the other ones that were found."""
    foreign = {row: removal(row, FAMILIES[family_of(row.key)]) for row in rows if row not in derived.free}
    return {**foreign, **derived.rows}


def _differences(rebuilding: Rebuilding, derived: Derived, wanted: Mapping[Row, Command], found: Found) -> _Differences:
    damaged = {row.key for row, value in found.rows.items() if value is None}
    damaged |= {key for key, rows in found.feeds.items() if rows is None}
    expected = dict(wanted)
    if derived.game is not None:
        damaged |= _settle_due(derived.game, expected, found)
    leeway = Leeway(_latest(rebuilding, derived.game), found.at)
    rows = {
        row: _dated(command, found.at)
        for row, command in expected.items()
        if (value := found.rows[row]) is not None and not leeway.holds(command, value)
    }
    feeds = [key for key, lines in found.feeds.items() if lines is not None and not _feed_holds(derived, key, lines)]
    return _Differences(rows, feeds, sorted(damaged))


def _settle_due(game: Game, expected: dict[Row, Command], found: Found) -> set[str]:
    """Change what is expected of the index of due games by a seat's orders; return keys that cannot be read."""
    key = keys.of_shard(keys.shard_of_game(game.id), "due")
    orders, history = (Row(keys.of_game(game.id, kind), str(game.asked)) for kind in ORDERS)
    try:
        acts = orders_act(game, Kept(found.rows.get(orders) or b"", found.rows.get(history) or b""))
    except ValueError:
        del expected[Row(key, game.id)]
        return {orders.key}
    if acts is None:
        del expected[Row(key, game.id)]
    elif acts:
        expected[Row(key, game.id)] = ("ZADD", key, game.changed_at, game.id)
    return set()


def _latest(rebuilding: Rebuilding, game: Game | None) -> int | None:
    """Return how late a game's alarm may be; a game that was set aside is looked at rarely. Raises: StoreError."""
    if game is None:
        return None
    now = rebuilding.now()
    latest = latest_look(game, now)
    aside, _ = rebuilding.store.set_aside.first(_SET_ASIDE)
    return latest if latest is None or all(one.game != game.id for one in aside) else max(latest, now + RARELY)


def _dated(command: Command, at: int) -> Command:
    """Return the command that mends a row; a game is not due since a time to come (ms, by the log server's clock)."""
    name, key, *arguments = command
    return (name, key, min(arguments[0], at), *arguments[1:]) if (name, family_of(key)) == ("ZADD", "due") else command


def _feed_holds(derived: Derived, key: str, lines: Sequence[bytes]) -> bool:
    return [line.decode(errors="surrogateescape") for line in lines] == list(derived.feeds.get(key, ()))


def _settle(
    rebuilding: Rebuilding, shard: int, name: str, derived: Derived, differences: _Differences, found: Found
) -> Generator[Finding, None, bool]:
    """Mend what differs, if the rebuild mends, and yield it; return whether nothing has changed since it was read.

    Raises: StoreError.
    """
    store, mends = rebuilding.store, rebuilding.mends
    commands = differences.rows.values()
    if mends and commands and not store.indexes.mend(derived.log, derived.length, commands):
        return False
    for row, command in differences.rows.items():
        yield Finding(*row, _what(command[0] not in ("HDEL", "ZREM"), bool(found.rows[row])), mends)
    settled = True
    for key in differences.feeds:
        if mends and not mend_feed(store, shard, name, derived, key):
            settled = False
        else:
            yield Finding(key, name, _what(bool(derived.feeds.get(key)), bool(found.feeds[key])), mends)
    return settled


def _what(follows: bool, found: bool) -> str:
    """Return what is wrong with a row, by whether it follows from the log and whether anything was found."""
    return FOREIGN if not follows else DIFFERENT if found else MISSING
