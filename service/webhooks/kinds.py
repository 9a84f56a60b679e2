"""Kinds of event that a webhook may be told of, and which of them a commit is to one player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..games.table import TABLE_EVENTS
from ..store.commits import Commit

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
    TURN_STARTED: "The game waits for you. The answer may be your move.",
    TURN_REMINDER: "The game still waits for you, and a quarter or a twentieth of your time is left.",
    TURN_EXPIRED: "Your time was over.",
    TURN_REJECTED: "The move in your answer to `turn.started` was refused; the turn is still open.",
    GAME_STARTED: "A game of yours began.",
    GAME_MOVED: "Somebody moved in a game of yours, you or another seat.",
    GAME_ENDED: "A game of yours is over.",
    TABLE_CHANGED: "A game of yours was opened or cancelled, or its table changed: who sits there, or its clock.",
}
"""What a webhook may be told of. A `ping` is sent to every webhook, whatever it asks for."""


OPEN_TURN = frozenset({TURN_STARTED, TURN_REMINDER, TURN_REJECTED})
"""Kinds that tell of a turn that waits: when it is over, nobody is told of them any more."""

COMES = frozenset({"seat-taken", "seat-substituted"})
LEAVES = frozenset({"seat-left", "seat-opened"})
"""Types of the records by which players come to a seat and leave it."""

_ENDS = ("game-ended", "match-ended")


def kinds_of(commit: Commit, seat: int | None, *, clocked: bool) -> Iterator[str]:
    """Yield what a commit is to a seat, in the order in which it is told; None is an owner who only watches.

    Who acts next stands in the log itself: the position need not be known. With a clock (`clocked`) it is whose clock
    starts, since the turn may be that of a bot which stands in; without one it is whose turn the last game event says.
    Where somebody resigns, the turn that goes on is told again, for it goes on at another version.
    A reminder concerns nobody else.
    """
    types = [record["type"] for record in commit["events"]]
    mine = {record["type"] for record in commit["events"] if seat is not None and record.get("seat") == seat}
    last = next((record for record in reversed(commit["events"]) if record["type"] not in TABLE_EVENTS), None)
    if "seat-timed-out" in mine:
        yield TURN_EXPIRED
    if last is not None:
        yield GAME_STARTED if "game-started" in types else GAME_MOVED
    elif set(types) != {"seat-reminded"}:
        yield TABLE_CHANGED
    if "seat-reminded" in mine:
        yield TURN_REMINDER
    asked = last is not None and _waits_for(last, seat)
    if "clock-started" in mine or (asked and (not clocked or "seat-resigned" in types)):
        yield TURN_STARTED
    elif last is not None and last["type"] in _ENDS:
        yield GAME_ENDED


def _waits_for(record: Mapping[str, object], seat: int | None) -> bool:
    return seat is not None and record["type"] == "turn-started" and record["seat"] == seat
