"""A rebuild that is in progress: what it works with, how far it is, and the keys that it has found damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ..store import Store, keys
from .findings import DAMAGED, Finding

ATTEMPTS = 8
"""How often something is compared again that changed while it was compared."""


@dataclass
class Rebuilding:
    """A rebuild in progress, of some games, or without any of everything.

    `now` returns ms since the epoch. Unless it `mends`, nothing is written.
    """

    store: Store
    now: Callable[[], int]
    mends: bool
    only: Sequence[str] = ()
    read: int = 0
    """How many games have been read."""
    done: int = 0
    """How many of the `parts` are done."""
    damaged: set[str] = field(default_factory=set)

    @property
    def parts(self) -> int:
        """How many parts there are: the games that were named, or the shards."""
        return len(self.only) or keys.SHARDS

    def damage(self, key: str) -> Iterator[Finding]:
        """Yield that a key cannot be read, the first time that this is found out."""
        if key not in self.damaged:
            self.damaged.add(key)
            yield Finding(key, "", DAMAGED)
