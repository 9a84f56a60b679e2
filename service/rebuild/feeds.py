"""Feeds: where the rows of a game belong among those of other games."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence

from ..store import Store
from .deriving import Derived


def merged(found: Sequence[bytes], name: str, times: Mapping[bytes, int], others: Sequence[int]) -> list[bytes]:
    """Return a feed with the rows of one game as they must be; the rows of other games stay in their order.

    `times` has this game's rows, in order, and when their commits were made; `others` says so of each row that was
    found. Rows that are in their place stay there. Others are put before the first row of another game that is later.

    >>> merged([b"b 1", b"a 1", b"b 2"], "a", {b"a 1": 5, b"a 2": 8}, [3, 5, 9])
    [b'b 1', b'a 1', b'a 2', b'b 2']
    """
    own = _sent(f"{name} ")
    waiting, ahead = deque(times), Counter(found)
    result: list[bytes] = []
    for row, at in zip(found, others, strict=True):
        if not (row + b" ").startswith(own):
            while waiting and not ahead[waiting[0]] and times[waiting[0]] <= at:
                result.append(waiting.popleft())
            result.append(row)
            continue
        ahead[row] -= 1
        if row in waiting:
            while waiting[0] != row:
                result.append(waiting.popleft())
            result.append(waiting.popleft())
    return [*result, *waiting]


def mend_feed(store: Store, shard: int, name: str, derived: Derived, key: str) -> bool:
    """Mend the rows of a game in a feed; False where the feed or the log has changed meanwhile. Raises: StoreError."""
    found = [_sent(row) for row, _ in store.indexes.rows_of(key)]
    game, rows = derived.game, derived.feeds.get(key, ())
    times = {} if game is None else {_sent(row): game.commits.at(int(row.split()[1]) - 1) for row in rows}
    after = merged(found, name, times, store.indexes.times_of(shard, found))
    return store.indexes.mend_feed(derived.log, derived.length, key, found, after)


def _sent(row: str) -> bytes:
    return row.encode(errors="surrogateescape")
