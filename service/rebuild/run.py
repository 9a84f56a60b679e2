"""A rebuild in progress: its store, its progress, and the damaged keys that it has found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ..store import Store, keys
from .findings import DAMAGED, Finding

ATTEMPTS = 8
"""How often data are compared if they change during the comparison."""


@dataclass
class RebuildRun:
    """A rebuild in progress, of these `games`, or of everything if there are no `games`.

    `now` returns ms since the epoch. Nothing is written unless `mends` is true.
    """

    store: Store
    now: Callable[[], int]
    mends: bool
    games: Sequence[str] = ()
    games_read: int = 0
    """How many games have been read so far."""
    done: int = 0
    """How many of the `parts` have been compared."""
    damaged: set[str] = field(default_factory=set)

    @property
    def parts(self) -> int:
        """The number of parts: one for each named game, or one for each shard."""
        return len(self.games) or keys.SHARDS

    def report_damage(self, key: str) -> Iterator[Finding]:
        """Yield a finding that a key cannot be read, only once for each key."""
        if key not in self.damaged:
            self.damaged.add(key)
            yield Finding(key, "", DAMAGED)
