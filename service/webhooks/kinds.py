"""Kinds of event that a webhook may be told of, and which of them a commit is to one player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..store.log import Commit
from ..table import TABLE_EVENTS

PING = "ping"
TURN_STARTED = "turn.started"
TURN_REJECTED = "turn.rejected"
GAME_STARTED = "game.started"
GAME_MOVED = "game.moved"
GAME_ENDED = "game.ended"
TABLE_CHANGED = "table.changed"

KINDS: Mapping[str, str] = {
    TURN_STARTED: "The game waits for you. The answer may be your move.",
    TURN_REJECTED: "The move in your answer to `turn.started` was refused; the turn is still open.",
    GAME_STARTED: "A game of yours began.",
    GAME_MOVED: "Somebody moved in a game of yours, you or another seat.",
    GAME_ENDED: "A game of yours is over.",
    TABLE_CHANGED: "A game of yours was opened or cancelled, or somebody sat down at its table or left it.",
}
"""What a webhook may be told of. A `ping` is sent to every webhook, whatever it asks for."""


def kinds_of(commit: Commit, seat: int | None) -> Iterator[str]:
    """Yield what a commit is to a seat, in the order in which it is told; None is an owner who only watches.

    Who acts next stands in the log itself, at the end of the commit: the position need not be known.
    """
    types = [record["type"] for record in commit["events"]]
    if all(name in TABLE_EVENTS for name in types):
        yield TABLE_CHANGED
        return
    yield GAME_STARTED if "game-started" in types else GAME_MOVED
    last = commit["events"][-1]
    if _waits_for(last, seat):
        yield TURN_STARTED
    elif last["type"] != "turn-started":
        yield GAME_ENDED


def _waits_for(record: Mapping[str, Any], seat: int | None) -> bool:
    return seat is not None and record["type"] == "turn-started" and record["seat"] == seat
