"""Statistics: compares the statistics of a shard's players with the logs. The counts are sums over all games of the
shard.

The counts can be compared only if every log of the shard has been read. Other processes may append commits during the
rebuild, so the shard's outbox is read together with the counts. The commits in the outbox are counted too if they were
appended after the rebuild began to compare this shard.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ..store import keys
from ..store.errors import CorruptLog, DamagedData
from .deriving import IndexRows, derive, derive_from_game
from .findings import DIFFERENT, FOREIGN, MISSING, UNSTABLE, Finding
from .run import ATTEMPTS, RebuildRun


class Statistics:
    """The counts derived so far from the logs of one shard."""

    def __init__(self, run: RebuildRun, shard: int) -> None:
        """Read the shard's last append. Create this object before you read the shard's logs.

        Raises: StoreUnavailable.
        """
        self._run, self._shard = run, shard
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._lengths: dict[str, int] = {}
        try:
            self._last: bytes | None = run.store.indexes.last_append(shard)
        except DamagedData:
            self._last = None

    @property
    def keys(self) -> Iterable[str]:
        """The keys for which there are counts."""
        return self._counts

    def add(self, name: str, index_rows: IndexRows) -> None:
        """Count a game's commits that have not been counted yet. Raises: CorruptLog."""
        counted_length = self._lengths.get(name, 0)
        if index_rows.game is None or index_rows.length <= counted_length:
            return
        earlier = derive_from_game(index_rows.game.at(counted_length)).counts if counted_length else {}
        for key, counts in index_rows.counts.items():
            self._counts[key].update(counts)
            self._counts[key].subtract(earlier.get(key, {}))
        self._lengths[name] = index_rows.length

    def holds(self, key: str, counts: Mapping[str, bytes]) -> bool:
        """Return whether the stored counts for a key are correct."""
        return counts == {field: b"%d" % count for field, count in self._counts.get(key, {}).items()}

    def compare(self, key: str) -> Iterator[Finding]:
        """Yield the difference in a key's counts, if there is one.

        If the rebuild makes repairs, this method repairs the counts before it yields the difference. Raises:
        StoreError.
        """
        for _ in range(ATTEMPTS):
            counts = self._read(key)
            if counts is None:
                break
            if self.holds(key, counts):
                return
            if not self._run.mends or self._mend(key, counts):
                what = FOREIGN if key not in self._counts else DIFFERENT if counts else MISSING
                yield Finding(key, "", what, self._run.mends)
                return
        yield Finding(key, "", UNSTABLE)

    def _read(self, key: str) -> Mapping[str, bytes] | None:
        """Read the counts stored at a key, and count all commits that had been appended by the time of the read. Return
        the stored counts, or None if it cannot be determined which commits had been appended.
        """
        if self._last is None:
            raise DamagedData(keys.of_shard(self._shard, "outbox"))
        state = self._run.store.indexes.read_counts(key, self._shard, self._last)
        if state is None:
            return None
        try:
            for name, length in state.lengths.items():
                self._count_up_to(name, length)
        except CorruptLog:
            return None
        self._last = state.last
        return state.counts

    def _count_up_to(self, name: str, length: int) -> None:
        """Count the first `length` commits of a game, if they have not been counted yet.

        Raises: CorruptLog, StoreUnavailable.
        """
        if length <= self._lengths.get(name, 0):
            return
        game = derive(self._run.store, self._shard, name).game
        if game is not None:
            self.add(name, derive_from_game(game.at(length)))

    def _mend(self, key: str, counts: Mapping[str, bytes]) -> bool:
        return self._run.store.indexes.mend_counts(key, counts, self._counts.get(key, {}))
