"""A change of a game, and the move that it may hold: what is about to be appended, and what it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..clocks.events import SeatOpened
from .commits import Commit
from .events import SeatLeft
from .game import Snapshot


class Change(NamedTuple):
    """A commit that is about to be appended, and the game after it.

    `thought` is how long a player took for a move that the commit holds (ms), None where it holds none.
    """

    game: Snapshot
    commit: Commit
    thought: int | None = None

    @property
    def sitting(self) -> Sequence[str]:
        """The owner, and the players at the table after it."""
        return list(dict.fromkeys([self.game.table.opened.owner, *self.game.table.players()]))

    @property
    def left(self) -> Sequence[str]:
        """The players who have left the table with it."""
        return [event.player for event in self.commit.events if isinstance(event, SeatLeft | SeatOpened)]

    @property
    def concerned(self) -> Sequence[str]:
        """Everybody whom it concerns."""
        return [*self.sitting, *self.left]
