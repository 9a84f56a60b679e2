"""The checks that are the same for all causes, and the values that are checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine import Histories, State

from ..clocks.events import GameResumed
from ..clocks.game_clock import GameClock
from ..games.events import Event
from ..games.game import Snapshot
from .clock_events import Stops
from .report import UncheckedBot, Wrong


class Commit(NamedTuple):
    """A commit of a record: its time, its author, and the decoded events of its cause."""

    at: int
    by: str
    events: Sequence[Event]


class Case(NamedTuple):
    """A commit of a running game, the game before the commit, and the object that checks the record's stops.

    `histories` are the seats' histories before the commit. `searches` says whether to repeat the choices of bots that
    search.
    """

    game: Snapshot
    state: State
    histories: Histories
    commit: Commit
    stops: Stops
    searches: bool


class Cause(NamedTuple):
    """The events that a cause must produce, and the position after them (None before the game starts).

    `bot` is the bot whose choice the commit contains, and `repeated` says whether the verification repeated the choice.
    """

    events: Sequence[Event]
    state: State | None
    bot: UncheckedBot | None = None
    repeated: bool = False


def require_author(commit: Commit, author: str) -> None:
    """Check that a commit has this author. Raises: Wrong."""
    if commit.by != author:
        raise Wrong("author", f"the commit is by {commit.by}, but only {author} can have made it")


def require_seat_number(game: Snapshot, seat: int) -> None:
    """Check that the table has a seat with this number. Raises: Wrong."""
    if not 0 <= seat < len(game.table.seats):
        raise Wrong("table", f"there is no seat {seat}", 0)


def seat_of_author(case: Case) -> int:
    """Return the seat of the commit's author, who may have resigned. Raises: Wrong."""
    seat = case.game.table.seat_of(case.commit.by)
    if seat is None:
        raise Wrong("author", f"the commit is by {case.commit.by}, who has no seat")
    return seat


def active_seat_of_author(case: Case) -> int:
    """Return the seat of the commit's author, who must not have resigned. Raises: Wrong."""
    seat = seat_of_author(case)
    if case.state.gone >> seat & 1:
        raise Wrong("author", f"the commit is by {case.commit.by}, who has resigned")
    return seat


def clock_of(game: Snapshot) -> GameClock:
    """Return the game's clock. Raises: Wrong."""
    if game.table.clock is None:
        raise Wrong("clock", "the game has no clock", 0)
    return game.table.clock


def is_paused(game: Snapshot) -> bool:
    """Return whether the game is paused."""
    return game.table.clock is not None and game.table.clock.paused is not None


def resumed(game: Snapshot, seat: int) -> list[Event]:
    """Return the event that ends a pause which only this seat's player could end. If there is no such pause, return no
    event.
    """
    return [GameResumed(seat)] if is_paused(game) and set(game.seats_of_people()) <= {seat} else []


def name_of(event: Event) -> str:
    """Return the name of an event's type, for use in a finding."""
    return type(event).__name__
