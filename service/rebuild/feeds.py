"""Feeds: merges the rows of one game into a feed that also has rows of other games."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence

from ..store import Store
from .deriving import IndexRows


def merge(rows: Sequence[bytes], name: str, times: Mapping[bytes, int], times_of_rows: Sequence[int]) -> list[bytes]:
    """Return the rows of a feed, with the rows of the game `name` corrected.

    The rows of other games keep their order. `times` maps this game's correct rows, in order, to the times of their
    commits. `times_of_rows` has the time of each stored row. Rows of the game that are already in the right place stay
    there. A missing row is inserted before the first row that belongs to another game and has the same or a later time.

    >>> merge([b"b 1", b"a 1", b"b 2"], "a", {b"a 1": 5, b"a 2": 8}, [3, 5, 9])
    [b'b 1', b'a 1', b'a 2', b'b 2']
    """
    prefix = _encode(f"{name} ")
    pending, remaining = deque(times), Counter(rows)
    result: list[bytes] = []
    for row, at in zip(rows, times_of_rows, strict=True):
        if not (row + b" ").startswith(prefix):
            while pending and not remaining[pending[0]] and times[pending[0]] <= at:
                result.append(pending.popleft())
            result.append(row)
            continue
        remaining[row] -= 1
        if row in pending:
            while pending[0] != row:
                result.append(pending.popleft())
            result.append(pending.popleft())
    return [*result, *pending]


def mend_feed(store: Store, shard: int, name: str, index_rows: IndexRows, key: str) -> bool:
    """Repair a game's rows in a feed. Return False if the feed or the log has changed since it was read.

    Raises: StoreError.
    """
    stored = [_encode(row) for row, _ in store.indexes.rows_of(key)]
    game, rows = index_rows.game, index_rows.feeds.get(key, ())
    times = {} if game is None else {_encode(row): game.commits.at(int(row.split()[1]) - 1) for row in rows}
    after = merge(stored, name, times, store.indexes.times_of(shard, stored))
    return store.indexes.mend_feed(index_rows.log, index_rows.length, key, stored, after)


def _encode(row: str) -> bytes:
    return row.encode(errors="surrogateescape")
