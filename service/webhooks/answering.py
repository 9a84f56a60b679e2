"""Answering with a move: makes the move that a response to `turn.started` contains, as if the player had posted it."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

import orjson

from engine import EngineError, Refusal, command_to_record, view_for

from ..games.game import Game
from ..games.repository import Games
from ..play.moves import Move, move
from ..problems import Problem

ACCEPTED = 202
"""The status with which an endpoint announces that it will POST the move later."""


class BadAnswer(Exception):
    """The move in a response is malformed. The message says what is wrong."""


def move_in(body: bytes) -> Any:
    """Return the move in a response's body, or None if the body contains no move. Raises: BadAnswer.

    >>> move_in(b'{"move": 3}'), move_in(b'{"moves": 3}'), move_in(b"OK")
    (3, None, None)
    >>> move_in(b'{"move": 3.0}'), move_in(b'{"move": {"type": "draw-cards", "number": 2.0}}')
    (3, {'type': 'draw-cards', 'number': 2})
    """
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(answer, Mapping) or answer.get("move") is None:
        return None
    choice = _without_fraction(answer["move"])
    if isinstance(choice, bool) or not isinstance(choice, int | dict):
        raise BadAnswer("move must be the number of one of the moves, or one of the moves itself")
    if isinstance(choice, dict) and not all(map(_is_flat, choice.values())):
        raise BadAnswer("each member of a move must be a string, a number or a list of strings")
    if isinstance(choice, dict):
        return {name: _without_fraction(value) for name, value in choice.items()}
    return choice


def play(games: Games, game: Game, player: str, choice: int | Mapping[str, Any], key: str) -> None:
    """Make the move that a response contained, but only once for each `key`.

    `game` is the game as shown in the payload. Raises: BadAnswer, Problem, EngineError.
    """
    move(games, game.id, player, Move(move_record(game, player, choice), frozenset((game.version,)), key))


def move_record(game: Game, player: str, choice: int | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the move that an endpoint chose in its response.

    If `choice` is a number, it is the number of one of the player's legal moves. Raises: BadAnswer.
    """
    return _numbered_move(game, player, choice) if isinstance(choice, int) else choice


def has_challenge(challenge: str, body: bytes) -> bool:
    """Return whether the response to a ping contains the ping's challenge.

    An endpoint that only echoes the body fails this check.
    """
    try:
        answer = orjson.loads(body)
    except orjson.JSONDecodeError:
        return False
    text = answer.get("challenge") if isinstance(answer, dict) else None
    return isinstance(text, str) and hmac.compare_digest(text.encode(), challenge.encode())


def problem_of(error: BadAnswer | Problem | EngineError) -> dict[str, Any]:
    """Return why a move was refused, as the members of a problem.

    If a rule forbids the move, the members include the clause. No member quotes text from the response.
    """
    match error:
        case Refusal():
            details = {"edition": error.edition, "clause": error.clause, "field": error.field}
            return {
                "code": error.code,
                "detail": str(error),
                **{name: value for name, value in details.items() if value},
            }
        case BadAnswer():
            return {"code": "invalid-request", "detail": str(error)}
        case Problem():
            return {"code": error.code, "detail": error.kind.title}
    return {"code": error.code, "detail": str(error)}


def _without_fraction(value: Any) -> Any:
    """Convert a number without a fractional part to an integer, and return any other value unchanged."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def _is_flat(value: object) -> bool:
    """Return whether a member of a move has an allowed form: a single value, or a list of single values.

    This check is needed because the JSON parser accepts deeper nesting than the JSON writer and the error messages can
    handle.
    """
    parts = value if isinstance(value, list) else [value]
    return not any(isinstance(part, list | dict) for part in parts)


def _numbered_move(game: Game, player: str, number: int) -> dict[str, Any]:
    seat = game.table.seat_of(player)
    legal = view_for(game.state, seat).legal if game.state is not None else ()
    if not 0 <= number < len(legal):
        raise BadAnswer(f"there is no move {number}: the moves are numbered from 0 to {len(legal) - 1}")
    return command_to_record(legal[number])
