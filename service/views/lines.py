"""Lines: alternative moves from any version of a finished game, with draws from a seed that the caller chooses.

Lines are not stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine import (
    BadRecord,
    Command,
    Event,
    Refusal,
    SeededChance,
    State,
    advance,
    command_from_record,
    command_to_record,
    event_to_record,
    legal_commands,
    to_notation,
    view_for,
)

from ..games.game import Game, StartedGame
from ..games.repository import Games, at_version, load
from ..games.table import CANCELLED
from ..play.guards import cancelled
from ..problems import Problem
from ..store.connection import ReadAhead
from .game import show_position

MAX_MOVES = 50
"""The maximum number of moves in a line."""

Json = dict[str, Any]


class LineRefused(Exception):
    """The rules forbid one of a line's moves. The error contains the move's index (from 0) and the refusal."""

    def __init__(self, index: int, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.index, self.refusal = index, refusal


class Line(NamedTuple):
    """A requested line: the version at which it begins, the seed of its draws, and its moves as records.

    If a record names no seat, the move is made by the seat to act.
    """

    version: int
    seed: bytes
    moves: Sequence[Mapping[str, Any]]


def play_line(games: Games, game_id: str, line: Line, ahead: ReadAhead | None = None) -> Json:
    """Play a line in a stored game, and return its effects. For `ahead`, see `load`.

    Raises: the same errors as `load` and `show_line`.
    """
    return show_line(load(games, game_id, ahead), line)


def show_line(game: Game, line: Line) -> Json:
    """Return the effects of a line's moves, and the position after the last move. All cards are shown.

    The draws are numbered as in the game, and use the entropy of the game's seats. A line with the game's own seed and
    moves therefore repeats the game's own events.

    Raises: Problem (game-not-over, game-cancelled, unknown-version, game-not-started, invalid-request), LineRefused.
    """
    _require_over(game)
    state = _started_at(game, line.version).state.copy()
    chance = SeededChance(line.seed, [bytes.fromhex(seat.entropy) for seat in game.table.seats])
    played = [_play(state, chance, index, record) for index, record in enumerate(line.moves)]
    result = state.result
    return {
        "game": game.id,
        "version": line.version,
        "seed": line.seed.hex(),
        "line": played,
        "notation": to_notation(state),
        "turn": state.turn if result is None else None,
        "moves": [command_to_record(command) for command in legal_commands(state)],
        "position": show_position(view_for(state, None, revealed=True), tuple(state.discard)),
        "result": result and {"winners": list(result.winners), "reasons": list(result.reasons)},
    }


def _require_over(game: Game) -> None:
    """Check that the game has ended, because not all of its cards are public before then. Raises: Problem."""
    if game.status == CANCELLED and not game.revealed:
        raise cancelled(game)
    if not game.revealed:
        raise Problem("game-not-over", "you can try other moves only in a finished game", game=game.id)


def _started_at(game: Game, version: int) -> StartedGame:
    """Return the game at a version. Raises: Problem (unknown-version, game-not-started)."""
    earlier = at_version(game, version)
    if not isinstance(earlier, StartedGame):
        detail = f"the game had not started at version {version}: choose a later version"
        raise Problem("game-not-started", detail, game=game.id, version=game.version)
    return earlier


def _play(state: State, chance: SeededChance, index: int, record: Mapping[str, Any]) -> Json:
    """Make one of a line's moves, and return its effects. The function changes `state` in place.

    Raises: LineRefused, Problem (invalid-request).
    """
    try:
        command: Command = command_from_record(record, record.get("seat", state.turn))
        events: list[Event] = advance(state, command, chance)
    except Refusal as refusal:
        raise LineRefused(index, refusal) from refusal
    except BadRecord as error:
        raise Problem("invalid-request", f"moves.{index}: {error}", index=index) from error
    return {
        "seat": command.seat,
        "events": [event_to_record(event) for event in events],
        "notation": to_notation(state),
    }
