"""A rebuild that is running: its store, how far it has got, and the damaged keys that it has found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ..games.game import Game
from ..store import Store, keys
from ..store.chain import hashes_of
from ..store.commits import Commits
from .findings import DAMAGED, WRONG_HASH, Finding

ATTEMPTS = 8
"""The maximum number of times that data are compared if they change during the comparison."""


@dataclass
class RebuildRun:
    """A rebuild in progress, which covers the games in `games`, or everything if `games` is empty.

    `now` returns ms since the epoch. Differences are repaired only if `mends` is true.
    """

    store: Store
    now: Callable[[], int]
    mends: bool
    games: Sequence[str] = ()
    games_read: int = 0
    """The number of games that have been read so far."""
    done: int = 0
    """The number of the rebuild's `parts` that have been compared."""
    damaged: set[str] = field(default_factory=set)
    checked: set[str] = field(default_factory=set)
    """The games whose hash chains have been checked."""

    @property
    def parts(self) -> int:
        """The number of parts: one for each named game, or one for each shard if no game is named."""
        return len(self.games) or keys.SHARDS

    def report_damage(self, key: str) -> Iterator[Finding]:
        """Yield a finding for a key that cannot be read, unless the key has already been reported."""
        if key not in self.damaged:
            self.damaged.add(key)
            yield Finding(key, "", DAMAGED)

    def report_wrong_hash(self, key: str, game: Game) -> Iterator[Finding]:
        """Yield a finding for the first wrong hash in a game's log, unless the game has already been checked.

        Commits are never rewritten, so a wrong hash is not repaired. Raises: CorruptLog.
        """
        if game.id not in self.checked:
            self.checked.add(game.id)
            number = _first_wrong_hash(game.commits)
            if number is not None:
                yield Finding(key, f"commit {number}", WRONG_HASH)


def _first_wrong_hash(commits: Commits) -> int | None:
    """Return the number of the first commit whose stored hash is wrong, or None if there is no such commit."""
    pairs = zip(commits.stored_hashes(), hashes_of(commits.stored_lines()), strict=True)
    return next((n for n, (stored, computed) in enumerate(pairs, 1) if stored not in (None, computed)), None)
