"""A change of a game: the commit that is about to be appended, what it leads to, and whom it concerns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..clocks.events import SeatOpened
from .commits import Commit
from .events import SeatLeft
from .game import Snapshot

_LEAVES = (SeatLeft, SeatOpened)


@dataclass(frozen=True)
class Change:
    """A commit that is about to be appended, and the game after it.

    `thought` is how long a player took for a move that the commit holds (ms), None where it holds none.
    """

    game: Snapshot
    commit: Commit
    thought: int | None = None

    @cached_property
    def kinds(self) -> frozenset[type]:
        """The types of its events."""
        return frozenset(map(type, self.commit.events))

    @cached_property
    def sitting(self) -> Sequence[str]:
        """The owner, and the players at the table after it."""
        return list(dict.fromkeys([self.game.table.opened.owner, *self.game.table.players()]))

    @cached_property
    def left(self) -> Sequence[str]:
        """The players who have left the table with it."""
        return [event.player for event in self.commit.events if isinstance(event, _LEAVES)]

    @cached_property
    def concerned(self) -> Sequence[str]:
        """Everybody whom it concerns, once; an owner whose seat was opened has left and is concerned anyway."""
        return list(dict.fromkeys([*self.sitting, *self.left]))
