"""Statistics: the counts of a shard's players, which add up over all of its games.

So they can only be compared where every log of the shard was read. Others append meanwhile: with the counts, the outbox
of the shard is read, which says what was appended since the rebuild began with the shard. That is counted too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ..store import keys
from ..store.errors import CorruptLog, DamagedData
from .deriving import Derived, derive, derived_from
from .findings import DIFFERENT, FOREIGN, MISSING, UNSETTLED, Finding
from .rebuilding import ATTEMPTS, Rebuilding


class Statistics:
    """The counts that follow from the logs of a shard that have been read so far."""

    def __init__(self, rebuilding: Rebuilding, shard: int) -> None:
        """Note which append to the shard was the last, before any log of it is read. Raises: StoreUnavailable."""
        self._rebuilding, self._shard = rebuilding, shard
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._lengths: dict[str, int] = {}
        try:
            self._last: bytes | None = rebuilding.store.indexes.last_append(shard)
        except DamagedData:
            self._last = None

    @property
    def keys(self) -> Iterable[str]:
        """The keys of which there are counts."""
        return self._counts

    def add(self, name: str, derived: Derived) -> None:
        """Count what a game has; of one that was counted before, what has come since. Raises: CorruptLog."""
        counted = self._lengths.get(name, 0)
        if derived.game is None or derived.length <= counted:
            return
        earlier = derived_from(derived.game.at(counted)).counts if counted else {}
        for key, counts in derived.counts.items():
            self._counts[key].update(counts)
            self._counts[key].subtract(earlier.get(key, {}))
        self._lengths[name] = derived.length

    def holds(self, key: str, found: Mapping[str, bytes]) -> bool:
        """Tell whether these are the counts of a key."""
        return found == {field: b"%d" % count for field, count in self._counts.get(key, {}).items()}

    def compare(self, key: str) -> Iterator[Finding]:
        """Yield whether the counts of a key differ, after mending them if the rebuild mends. Raises: StoreError."""
        for _ in range(ATTEMPTS):
            found = self._read(key)
            if found is None:
                break
            if self.holds(key, found):
                return
            if not self._rebuilding.mends or self._mend(key, found):
                what = FOREIGN if key not in self._counts else DIFFERENT if found else MISSING
                yield Finding(key, "", what, self._rebuilding.mends)
                return
        yield Finding(key, "", UNSETTLED)

    def _read(self, key: str) -> Mapping[str, bytes] | None:
        """Return what a key holds, and count all that was appended before; None where that is not known any more."""
        if self._last is None:
            raise DamagedData(keys.of_shard(self._shard, "outbox"))
        found = self._rebuilding.store.indexes.read_counts(key, self._shard, self._last)
        if found is None:
            return None
        try:
            for name, length in found.lengths.items():
                self._count_on(name, length)
        except CorruptLog:
            return None
        self._last = found.last
        return found.counts

    def _count_on(self, name: str, length: int) -> None:
        """Count a game up to a length. Raises: CorruptLog, StoreUnavailable."""
        if length <= self._lengths.get(name, 0):
            return
        game = derive(self._rebuilding.store, self._shard, name).game
        if game is not None:
            self.add(name, derived_from(game.at(length)))

    def _mend(self, key: str, found: Mapping[str, bytes]) -> bool:
        return self._rebuilding.store.indexes.mend_counts(key, found, self._counts.get(key, {}))
