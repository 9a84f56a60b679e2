"""One shard: what all of its logs say is held against all rows of its indexes.

This is read bit by bit while others write. It finds out which games to compare as `one_game` does: those of which a
row is missing or holds something else, and those that rows name although no log says so. At any time the rows of one
shard are held in memory, and the log of one game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..store import keys
from ..store.errors import CorruptLog, DamagedData
from ..store.indexes import FAMILIES, LOGS, family_of, name_in
from ..store.transport import Command
from ..store.written import Row
from .deriving import ORDERS, Derived, derive, log_of
from .findings import UNCOUNTED, Finding
from .leeway import Leeway, latest_look
from .one_game import compare_game
from .rebuilding import Rebuilding
from .statistics import Statistics


class _Expected(NamedTuple):
    """What a row must hold, and how late it may be if it is an alarm."""

    command: Command
    latest: int | None


class _Doubt(NamedTuple):
    """What has been found in indexes of a game that is to be compared: rows, and keys of feeds."""

    rows: set[Row]
    feeds: set[str]


class Shard:
    """What is known of a shard while it is compared."""

    def __init__(self, rebuilding: Rebuilding, shard: int) -> None:
        """Begin with nothing. Raises: StoreError."""
        self._rebuilding, self._shard = rebuilding, shard
        self._statistics = Statistics(rebuilding, shard)
        self._at = rebuilding.store.indexes.read(keys.of_shard(shard, "log:"), 0, ()).at
        self._rows: defaultdict[str, dict[str, _Expected]] = defaultdict(dict)
        """By key and member."""
        self._feeds: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """By key and game a fingerprint of the rows, in order."""
        self._unread = set[str]()
        """The games whose logs cannot be read: nothing is known of their rows."""
        self._doubts: defaultdict[str, _Doubt] = defaultdict(lambda: _Doubt(set(), set()))
        self._miscounted: list[str] = []

    def compare(self, advance: Callable[[], None]) -> Iterator[Finding]:
        """Yield what differs in the shard; `advance` is called after each log. Raises: StoreError."""
        found = self._rebuilding.store.indexes.keys_of(self._shard)
        for name in sorted({name_in(key) for key in found if family_of(key) in LOGS}):
            yield from self._read_log(name)
            advance()
        indexes = {key for key in found if family_of(key) in FAMILIES}
        for key in sorted({*indexes, *self._rows, *self._feeds, *self._statistics.keys}):
            try:
                self._compare_index(key)
            except DamagedData:
                yield from self._rebuilding.damage(key)
        for name, doubt in sorted(self._doubts.items()):
            if name not in self._unread:
                yield from compare_game(self._rebuilding, self._shard, name, *doubt)
        yield from self._compare_counts()

    def _read_log(self, name: str) -> Iterator[Finding]:
        try:
            derived = derive(self._rebuilding.store, self._shard, name)
        except CorruptLog:
            self._unread.add(name)
            yield from self._rebuilding.damage(log_of(self._shard, name))
            return
        self._rebuilding.read += derived.game is not None
        self._statistics.add(name, derived)
        self._expect(name, derived)

    def _expect(self, name: str, derived: Derived) -> None:
        now = self._rebuilding.now()
        latest = None if derived.game is None else latest_look(derived.game, now)
        for row, command in derived.rows.items():
            self._rows[row.key][row.member] = _Expected(command, latest)
        for key, lines in derived.feeds.items():
            self._feeds[key][name] = _fingerprint(lines)

    def _compare_index(self, key: str) -> None:
        """Find out which games are to be compared for what an index holds. Raises: StoreError."""
        rows, family = self._rebuilding.store.indexes.rows_of(key), family_of(key)
        if family == "feed":
            self._compare_feed(key, [line for line, _ in rows])
        elif family == "record":
            if not self._statistics.holds(key, dict(rows)):
                self._miscounted.append(key)
        elif family in ORDERS:
            for member, _ in rows:
                self._doubts[name_in(key)].rows.add(Row(key, member))
        else:
            self._compare_rows(key, dict(rows))

    def _compare_rows(self, key: str, found: dict[str, bytes]) -> None:
        expected = self._rows.get(key, {})
        for name in expected.keys() | found.keys():
            wanted = expected.get(name)
            if wanted is None or not Leeway(wanted.latest, self._at).holds(wanted.command, found.get(name, b"")):
                self._doubts[name].rows.add(Row(key, name))

    def _compare_feed(self, key: str, lines: Iterable[str]) -> None:
        by_game: defaultdict[str, list[str]] = defaultdict(list)
        for line in lines:
            by_game[line.partition(" ")[0]].append(line)
        expected, found = self._feeds.get(key, {}), {name: _fingerprint(some) for name, some in by_game.items()}
        for name in expected.keys() | found.keys():
            if expected.get(name) != found.get(name):
                self._doubts[name].feeds.add(key)

    def _compare_counts(self) -> Iterator[Finding]:
        if self._unread and self._miscounted:
            yield Finding(keys.of_shard(self._shard, "record:*"), "", UNCOUNTED)
            return
        for key in self._miscounted:
            try:
                yield from self._statistics.compare(key)
            except DamagedData as error:
                yield from self._rebuilding.damage(error.key or key)


def _fingerprint(lines: Iterable[str]) -> int:
    """Return what tells some lines from others, without holding them."""
    return hash(tuple(lines))
