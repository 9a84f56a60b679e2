"""Answering with the move: an endpoint's answer to `turn.started`, played the way a posted move is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from engine import EngineError, Refusal, command_to_record, view_for

from ..games.game import Game
from ..games.repository import Games
from ..play.moves import Move, move
from ..problems import Problem

LATER = 202
"""The status that says: the move will come later, by POST."""


class BadAnswer(Exception):
    """An answer holds something that is no move; the message says what."""


def move_in(body: bytes) -> Any:
    """Return what an answer gives as its move, None where it gives none. Raises: BadAnswer.

    >>> move_in(b'{"move": 3}'), move_in(b'{"moves": 3}'), move_in(b"OK")
    (3, None, None)
    """
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(answer, Mapping) or answer.get("move") is None:
        return None
    chosen = answer["move"]
    if isinstance(chosen, bool) or not isinstance(chosen, int | dict):
        raise BadAnswer("move must be the number of one of the moves, or one of the moves itself")
    if isinstance(chosen, dict) and not all(map(_is_plain, chosen.values())):
        raise BadAnswer("each member of a move must be a string, a number or a list of strings")
    return chosen


def play(games: Games, game: Game, player: str, chosen: int | Mapping[str, Any], key: str) -> None:
    """Make the move that an answer gives, once for each `key`; `game` is the game as its payload showed it.

    Raises: BadAnswer, Problem, EngineError.
    """
    record = _numbered(game, player, chosen) if isinstance(chosen, int) else chosen
    move(games, game.id, player, Move(record, game.version, key))


def refused(error: BadAnswer | Problem | EngineError) -> dict[str, Any]:
    """Return why a move was refused, as a problem says it, with a clause of the rules where one forbids it.

    No words of the answer stand in it.
    """
    match error:
        case Refusal():
            cited = {"edition": error.edition, "clause": error.clause, "field": error.field}
            return {"code": error.code, "detail": str(error), **{name: said for name, said in cited.items() if said}}
        case BadAnswer():
            return {"code": "invalid-request", "detail": str(error)}
        case Problem():
            return {"code": error.code, "detail": error.kind.title}
    return {"code": error.code, "detail": str(error)}


def _is_plain(value: object) -> bool:
    """Tell whether a value is nested no more than a member of a move may be.

    Parsing allows more depth than writing JSON, and more than errors can quote.
    """
    parts = value if isinstance(value, list) else [value]
    return not any(isinstance(part, list | dict) for part in parts)


def _numbered(game: Game, player: str, number: int) -> dict[str, Any]:
    seat = game.table.seat_of(player)
    legal = view_for(game.state, seat).legal if game.state is not None else ()
    if not 0 <= number < len(legal):
        raise BadAnswer(f"there is no move {number}: the moves are numbered from 0 to {len(legal) - 1}")
    return command_to_record(legal[number])
