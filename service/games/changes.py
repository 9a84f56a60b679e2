"""A change to a game: a commit, the game after that commit, and the players whom the commit concerns.

The service creates a `Change` for each commit that it is about to append, and for each commit that it reads back from a
log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.events import GameStarted, SeatResigned

from ..clocks.events import SeatOpened
from .commits import Commit
from .events import SeatLeft, TableHandedOver, is_game_event
from .game import Snapshot

_LEAVES = (SeatLeft, SeatOpened)
_NOT_MOVES = (GameStarted, SeatResigned)
"""A player's commit that begins with one of these game events does not contain a move."""


@dataclass(frozen=True)
class Change:
    """A commit, and the game after that commit.

    `thinking_time` is the time in ms that the player took for the move in the commit, or None if the commit does not
    contain a player's move.
    """

    game: Snapshot
    commit: Commit
    thinking_time: int | None = None

    @cached_property
    def kinds(self) -> frozenset[type]:
        """The types of the commit's events."""
        return frozenset(map(type, self.commit.events))

    @cached_property
    def participants(self) -> Sequence[str]:
        """The game's owner, and the players at the table after the commit."""
        return list(dict.fromkeys([self.game.table.opened.owner, *self.game.table.players()]))

    @cached_property
    def leavers(self) -> Sequence[str]:
        """The players who left the table in this commit.

        An owner without a seat who handed the table over in this commit is also included.
        """
        left = [event.player for event in self.commit.events if isinstance(event, _LEAVES)]
        handed_over = TableHandedOver in self.kinds and self.commit.by not in self.participants
        return [*left, self.commit.by] if handed_over else left

    @cached_property
    def recipients(self) -> Sequence[str]:
        """Everybody whom the commit concerns, without duplicates: the participants and the leavers.

        If the owner's seat was opened to other players, the owner is both a leaver and a participant.
        """
        return list(dict.fromkeys([*self.participants, *self.leavers]))


def thinking_time(before: Snapshot, commit: Commit) -> int | None:
    """Return how long a player took to make the move in a commit, in ms. Return None if no player moved in the commit.

    A commit that contains a move begins with the move's own event. Moves by bots and by the clock are not players'
    moves.
    """
    first = commit.events[0]
    if before.table.seat_of(commit.by) is None or not is_game_event(first) or isinstance(first, _NOT_MOVES):
        return None
    turn = before.table.clock.turn if before.table.clock else None
    return turn.used(commit.at) if turn else max(0, commit.at - before.table.acted_at)
