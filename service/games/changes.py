"""A change of a game: a commit, what it leads to, and whom it concerns.

A commit that is about to be appended makes one, and so does each commit of a log that is read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.events import GameStarted, SeatResigned

from ..clocks.events import SeatOpened
from .commits import Commit
from .events import SeatLeft, is_game_event
from .game import Snapshot

_LEAVES = (SeatLeft, SeatOpened)
_NO_MOVES = (GameStarted, SeatResigned)
"""Game events with which a commit of a player's begins that is not a move."""


@dataclass(frozen=True)
class Change:
    """A commit, and the game after it.

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


def thought_of(before: Snapshot, commit: Commit) -> int | None:
    """Return how long a player took for the move that a commit makes in a game (ms); None where it makes none.

    A move's commit begins with what the move did. The moves of bots and the clock are not players'.
    """
    first = commit.events[0]
    if before.table.seat_of(commit.by) is None or not is_game_event(first) or isinstance(first, _NO_MOVES):
        return None
    turn = before.table.clock.turn if before.table.clock else None
    return turn.used(commit.at) if turn else max(0, commit.at - before.changed_at)
