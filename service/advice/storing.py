"""Storing advice: the queue server keeps each game's latest advice until the advice expires.

If the advice is lost, the player can ask again, and gets the same advice. The log never contains advice. Advice is not
stored on the log server, because the log server writes all data to disk before it responds, and because its data are
backed up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson

from ..games.repository import Games
from ..games.table import AskedHint


class Advice(NamedTuple):
    """Advice for a seat at a version of the game: the move as a record, and the bot that would make it."""

    seat: int
    version: int
    bot: str
    move: dict[str, Any]


def keep(games: Games, game_id: str, advice: Advice) -> None:
    """Store advice, replacing the game's earlier advice. Takes one round trip. Raises: redis.RedisError."""
    games.hints.keep_advice(game_id, orjson.dumps(advice._asdict()))


def find(games: Games, game_id: str, hint: AskedHint) -> Advice | None:
    """Return the advice that a seat asked for, or None if the advice has not been stored yet or has been lost.

    Takes one round trip. Never raises.
    """
    text = games.hints.advice(game_id)
    try:
        advice = None if text is None else Advice(**orjson.loads(text))
    except (TypeError, ValueError):
        return None
    return advice if advice is not None and (advice.seat, advice.version) == (hint.seat, hint.version) else None
