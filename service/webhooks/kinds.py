"""Kinds of event that a webhook may be told of, and which of them a commit is to one player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.events import GameEnded, GameStarted, MatchEnded, SeatResigned, TurnStarted

from ..clocks.events import ClockStarted, SeatOpened, SeatReminded, SeatSubstituted, SeatTimedOut
from ..games.commits import Commit
from ..games.events import SeatLeft, SeatTaken

PING = "ping"
TURN_STARTED = "turn.started"
TURN_REMINDER = "turn.reminder"
TURN_EXPIRED = "turn.expired"
TURN_REJECTED = "turn.rejected"
GAME_STARTED = "game.started"
GAME_MOVED = "game.moved"
GAME_ENDED = "game.ended"
TABLE_CHANGED = "table.changed"

KINDS: Mapping[str, str] = {
    TURN_STARTED: "The game is waiting for you. You can answer with your move.",
    TURN_REMINDER: "The game is still waiting for you, and 25 or 5 percent of your time is left.",
    TURN_EXPIRED: "Your time ran out.",
    TURN_REJECTED: "The move in your answer to `turn.started` was refused. It is still your turn.",
    GAME_STARTED: "One of your games started.",
    GAME_MOVED: "Your seat or another one moved in one of your games.",
    GAME_ENDED: "One of your games, or a match, ended.",
    TABLE_CHANGED: "One of your games was opened or cancelled, who sits in it changed, or its clock changed.",
}
"""What a webhook may be told of. A `ping` is sent to every webhook, whatever it asks for."""


OPEN_TURN = frozenset({TURN_STARTED, TURN_REMINDER, TURN_REJECTED})
"""Kinds that tell of a turn that waits: when it is over, nobody is told of them any more."""

COMES = (SeatTaken, SeatSubstituted)
LEAVES = (SeatLeft, SeatOpened)
"""Events by which players come to a seat and leave it."""


def kinds_of(commit: Commit, seat: int | None, *, clocked: bool) -> Iterator[str]:
    """Yield what a commit is to a seat, in the order in which it is told; None is an owner who only watches.

    Who acts next stands in the log itself: the position need not be known. With a clock (`clocked`) it is whose clock
    starts, since the turn may be that of a bot which stands in; without one it is whose turn the last game event says.
    Where somebody resigns, the turn that goes on is told again, for it goes on at another version.
    A reminder concerns nobody else.
    """
    types = {type(event) for event in commit.events}
    mine = {type(event) for event in commit.events if seat is not None and getattr(event, "seat", None) == seat}
    last = next(reversed(commit.game_events), None)
    if SeatTimedOut in mine:
        yield TURN_EXPIRED
    if last is not None:
        yield GAME_STARTED if GameStarted in types else GAME_MOVED
    elif types != {SeatReminded}:
        yield TABLE_CHANGED
    if SeatReminded in mine:
        yield TURN_REMINDER
    asked = seat is not None and isinstance(last, TurnStarted) and last.seat == seat
    if ClockStarted in mine or (asked and (not clocked or SeatResigned in types)):
        yield TURN_STARTED
    elif isinstance(last, GameEnded | MatchEnded):
        yield GAME_ENDED
