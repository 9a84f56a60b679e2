"""One shard: compares all of its logs with all rows of its indexes.

The rows are read in parts while other processes write. This module therefore only finds suspicious games: games with a
missing or different row, and games that have rows but no log. `one_game` then compares the suspicious games. At any
time, only the rows of one shard and the log of one game are in memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..store import keys
from ..store.effects import Row
from ..store.errors import CorruptLog, DamagedData
from ..store.indexes import FAMILIES, LOGS, family_of, name_in
from ..store.transport import Command
from .deriving import ORDERS, IndexRows, derive, log_of
from .findings import UNCOUNTED, Finding
from .leeway import Leeway, latest_look
from .one_game import compare_game
from .run import RebuildRun
from .statistics import Statistics


class _RowCommand(NamedTuple):
    """The command that writes a row and, if the row is an alarm, the alarm's latest allowed time."""

    command: Command
    latest: int | None


class _Suspect(NamedTuple):
    """The reasons to compare a game: rows that seem wrong, and keys of feeds in which the game's rows seem wrong."""

    rows: set[Row]
    feeds: set[str]


class Shard:
    """The comparison of one shard."""

    def __init__(self, run: RebuildRun, shard: int) -> None:
        """Begin a comparison. Raises: StoreError."""
        self._run, self._shard = run, shard
        self._statistics = Statistics(run, shard)
        self._at = run.store.indexes.read(keys.of_shard(shard, "log:"), 0, ()).at
        self._rows: defaultdict[str, dict[str, _RowCommand]] = defaultdict(dict)
        """The expected rows, keyed by index key and member."""
        self._feeds: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """The fingerprint of each game's rows in each feed, keyed by the feed's key and the game.

        A fingerprint is computed from the game's expected rows in the feed, in order.
        """
        self._unreadable = set[str]()
        """The games whose rows cannot be compared, because their logs cannot be read."""
        self._suspects: defaultdict[str, _Suspect] = defaultdict(lambda: _Suspect(set(), set()))
        self._wrong_counts: list[str] = []

    def compare(self, advance: Callable[[], None]) -> Iterator[Finding]:
        """Yield the differences between the shard's logs and its rows.

        Call `advance` after each log. Raises: StoreError.
        """
        keys_found = self._run.store.indexes.keys_of(self._shard)
        for name in sorted({name_in(key) for key in keys_found if family_of(key) in LOGS}):
            yield from self._read_log(name)
            advance()
        indexes = {key for key in keys_found if family_of(key) in FAMILIES}
        for key in sorted({*indexes, *self._rows, *self._feeds, *self._statistics.keys}):
            try:
                self._compare_index(key)
            except DamagedData:
                yield from self._run.report_damage(key)
        for name, suspect in sorted(self._suspects.items()):
            if name not in self._unreadable:
                yield from compare_game(self._run, self._shard, name, *suspect)
        yield from self._compare_counts()

    def _read_log(self, name: str) -> Iterator[Finding]:
        try:
            index_rows = derive(self._run.store, self._shard, name)
            if index_rows.game is not None:
                yield from self._run.report_wrong_hash(index_rows.log, index_rows.game)
        except CorruptLog:
            self._unreadable.add(name)
            yield from self._run.report_damage(log_of(self._shard, name))
            return
        self._run.games_read += index_rows.game is not None
        self._statistics.add(name, index_rows)
        self._expect(name, index_rows)

    def _expect(self, name: str, index_rows: IndexRows) -> None:
        now = self._run.now()
        latest = None if index_rows.game is None else latest_look(index_rows.game, now)
        for row, command in index_rows.rows.items():
            self._rows[row.key][row.member] = _RowCommand(command, latest)
        for key, lines in index_rows.feeds.items():
            self._feeds[key][name] = _fingerprint(lines)

    def _compare_index(self, key: str) -> None:
        """Find the games that must be compared, given the rows of an index. Raises: StoreError."""
        rows, family = self._run.store.indexes.rows_of(key), family_of(key)
        if family == "feed":
            self._compare_feed(key, [line for line, _ in rows])
        elif family == "record":
            if not self._statistics.holds(key, dict(rows)):
                self._wrong_counts.append(key)
        elif family in ORDERS:
            for member, _ in rows:
                self._suspects[name_in(key)].rows.add(Row(key, member))
        else:
            self._compare_rows(key, dict(rows))

    def _compare_rows(self, key: str, rows: dict[str, bytes]) -> None:
        expected = self._rows.get(key, {})
        for name in expected.keys() | rows.keys():
            row = expected.get(name)
            if row is None or not Leeway(row.latest, self._at).holds(row.command, rows.get(name, b"")):
                self._suspects[name].rows.add(Row(key, name))

    def _compare_feed(self, key: str, lines: Iterable[str]) -> None:
        by_game: defaultdict[str, list[str]] = defaultdict(list)
        for line in lines:
            by_game[line.partition(" ")[0]].append(line)
        expected = self._feeds.get(key, {})
        fingerprints = {name: _fingerprint(entries) for name, entries in by_game.items()}
        for name in expected.keys() | fingerprints.keys():
            if expected.get(name) != fingerprints.get(name):
                self._suspects[name].feeds.add(key)

    def _compare_counts(self) -> Iterator[Finding]:
        if self._unreadable and self._wrong_counts:
            yield Finding(keys.of_shard(self._shard, "record:*"), "", UNCOUNTED)
            return
        for key in self._wrong_counts:
            try:
                yield from self._statistics.compare(key)
            except DamagedData as error:
                yield from self._run.report_damage(error.key or key)


def _fingerprint(lines: Iterable[str]) -> int:
    """Return a hash of lines, so that the lines can be compared without being stored."""
    return hash(tuple(lines))
