"""Moves: functions that carry out the commands of players, of their standing orders and of bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import (
    BadRecord,
    Command,
    Foresight,
    command_from_record,
    command_to_record,
    decide,
    foresee,
    legal_commands,
)
from engine.bots import least_committing

from ..games.changes import Change
from ..games.game import ABSENT, Game, StartedGame, bot_of_seat, key_of_orders
from ..games.repository import Answer, ByOrders, Games, Seen, append, first_answer, load
from ..games.table import CANCELLED
from ..idempotency import fingerprint_of
from ..problems import Problem, shown
from ..store.connection import ReadAhead
from ..timekeeping.changes import make_change
from .attempts import carry_out
from .guards import cancelled, require_no_bot, require_seen, seat_of


class Move(NamedTuple):
    """A requested move: the command as a record, the versions that the sender has seen, and the Idempotency-Key."""

    record: Mapping[str, Any]
    seen: Seen
    key: str


def move(games: Games, game_id: str, player: str, request: Move, ahead: ReadAhead | None = None) -> Answer:
    """Make a player's move, but only once for each Idempotency-Key. A repeated request gets the game as it was after
    the first request.

    For `ahead`, see `carry_out`. Raises: Problem, Refusal, StoreError.
    """
    fingerprint = fingerprint_of(request.record)

    def decide_move(game: Game) -> Change | Answer:
        seat = seat_of(game, player)
        earlier = first_answer(game, player, request.key, fingerprint)
        if earlier is not None:
            return earlier
        started, command = _checked_move(game, seat, request)
        return _change(games, started, player, command, request.key, fingerprint)

    return carry_out(games, game_id, decide_move, ahead)


def foresee_move(
    games: Games, game_id: str, player: str, request: Move, ahead: ReadAhead | None = None
) -> tuple[StartedGame, Foresight]:
    """Return the current game, and those effects of a player's move that can be known in advance. Write nothing.

    A timeout that is due is ignored: the move is evaluated as if the deadline had not passed. The Idempotency-Key is
    ignored, too. For `ahead`, see `load`. Raises: the same errors as `move`, except problems with a key.
    """
    game = load(games, game_id, ahead)
    started, command = _checked_move(game, seat_of(game, player), request)
    return started, foresee(started.state, command)


def move_by_orders(games: Games, game: StartedGame, player: str, command: Command, by_orders: ByOrders) -> bool:
    """Make the move that standing orders call for, just like a move that the player sends.

    Returns False if the game or the orders have changed. Raises: Refusal, StoreError.
    """
    key, fingerprint = key_of_orders(game.seed, game.version), fingerprint_of(command_to_record(command))
    return append(games, _change(games, game, player, command, key, fingerprint), by_orders) is not None


def play_bot_turn(games: Games, game_id: str) -> bool:
    """Load a game and call `play_bot` for it. Raises: Problem, StoreError."""
    return play_bot(games, load(games, game_id))


def play_bot(games: Games, game: Game) -> bool:
    """Make a move for the bot whose turn it is in a game, just like a player's move.

    Return False if the game is not waiting for a bot, or if the game has changed. Raises: StoreError.
    """
    bot = game.bot_to_act()
    if bot is None or not isinstance(game, StartedGame):
        return False
    seat = game.state.turn
    player = bot_of_seat(game.table.seats[seat])
    if player is None:
        command = least_committing(legal_commands(game.state))
    else:
        command = player.play(game.state, game.events, game.chance.bot_random(game.version))
    by, fingerprint = f"{ABSENT if bot == ABSENT else 'bot'}:{seat}", fingerprint_of(command_to_record(command))
    events = decide(game.state, command, game.chance)
    return append(games, make_change(games, game, by, events, f"bot-{game.version}", fingerprint)) is not None


def requested_command(game: Game, seat: int, record: Mapping[str, Any]) -> Command:
    """Return the command that a record describes. Raises: Problem (not-your-seat, invalid-request)."""
    asked_for = record.get("seat", seat)
    if type(asked_for) is not int or asked_for != seat:
        detail = f"you are in seat {seat}, not in seat {shown(str(asked_for))}"
        raise Problem("not-your-seat", detail, game=game.id, seat=seat)
    try:
        return command_from_record(record, seat)
    except BadRecord as error:
        raise Problem("invalid-request", str(error), game=game.id) from error


def _checked_move(game: Game, seat: int, request: Move) -> tuple[StartedGame, Command]:
    """Check that a seat's player may send this request now. Return the game and the command. Raises: Problem."""
    started = _require_move_allowed(game, seat)
    command = requested_command(started, seat, request.record)
    require_seen(started, request.seen)
    return started, command


def _require_move_allowed(game: Game, seat: int) -> StartedGame:
    """Return the game, after checking that a seat's player may move in it. Raises: Problem."""
    if game.status == CANCELLED:
        raise cancelled(game)
    if not isinstance(game, StartedGame):
        raise Problem("game-not-started", "the game has not started yet: wait for the game-started event", game=game.id)
    if game.table.clock is not None and game.table.clock.paused is not None:
        raise Problem(
            "game-paused",
            f"the game is paused: end the pause with POST /v1/games/{game.id}/resume, then move",
            game=game.id,
        )
    require_no_bot(game, seat)
    return game


def _change(games: Games, game: StartedGame, player: str, command: Command, key: str, fingerprint: str) -> Change:
    """Return the change that a player's command makes in a game. Raises: Refusal."""
    return make_change(games, game, player, decide(game.state, command, game.chance), key, fingerprint)
