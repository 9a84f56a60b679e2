"""Causes: determines what a commit of a record may contain, given its author and the game before the commit.

A commit begins with the events of its cause: a player's request, a bot's move, a timeout, or an action of the host. The
first event of a cause determines all the others, so `cause_of` recomputes them, and `verifying` compares the result
with the record. `clock_events` checks the clock events that may follow.
"""

from __future__ import annotations

from engine import Histories
from engine.events import GameStarted, SeatResigned

from ..games.events import HOST, GameCancelled, is_game_event
from ..games.game import Snapshot
from ..games.table import OVER
from ..timekeeping.deadlines import CLOCK
from .checks import Case, Cause, Commit, name_of, require_author
from .clock_events import Stops
from .moves import move
from .report import Wrong
from .running import RUNNING
from .seating import before_start


def cause_of(game: Snapshot, histories: Histories, commit: Commit, stops: Stops, *, searches: bool) -> Cause:
    """Return the events that the cause of a commit must produce, and the position after them. Raises: Wrong."""
    first = commit.events[0] if commit.events else None
    if first is None:
        raise Wrong("table", "the commit has no event that could be its cause")
    if game.status in OVER:
        raise Wrong("after-end", f"the game is {game.status}, but the commit has the event {name_of(first)}", 0)
    if isinstance(first, GameCancelled):
        # The clock cancels an open game that nobody joins. The record does not say how long a game may be open.
        author = CLOCK if first.by == CLOCK and game.state is None else HOST
        require_author(commit, author)
        if first.by != author:
            raise Wrong("table", f"only the host can cancel a game, not {first.by}", 0)
        return Cause([first], game.state)
    if game.state is None:
        return Cause(*before_start(game, commit))
    case = Case(game, game.state, histories, commit, stops, searches)
    if is_game_event(first) and not isinstance(first, SeatResigned | GameStarted):
        return move(case)
    handler = RUNNING.get(type(first))
    if handler is None:
        raise Wrong("table", f"the event {name_of(first)} is not possible while a game is running", 0)
    return Cause(*handler(case))
