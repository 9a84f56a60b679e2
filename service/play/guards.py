"""What a request on a game needs: a seat, a game that runs, a player who has not resigned."""

from __future__ import annotations

from ..games.game import Game, StartedGame
from ..games.table import CANCELLED, FINISHED, OPEN
from ..problems import Problem

_NOT_RUNNING = {OPEN: "game-not-started", CANCELLED: "game-cancelled", FINISHED: "game-over"}


def seat_of(game: Game, player: str) -> int:
    """Return a player's seat. Raises: Problem (not-seated)."""
    seat = game.table.seat_of(player)
    if seat is None:
        raise Problem("not-seated", "you do not sit in this game", game=game.id)
    return seat


def must_run(game: Game) -> StartedGame:
    """Return a game that runs. Raises: Problem (game-not-started, game-cancelled, game-over)."""
    if game.status in _NOT_RUNNING or not isinstance(game, StartedGame):
        raise Problem(_NOT_RUNNING[game.status], f"the game is {game.status}", game=game.id)
    return game


def must_be_present(game: StartedGame, seat: int) -> None:
    """Do nothing where the player of a seat has not resigned. Raises: Problem (already-resigned)."""
    if game.state.gone >> seat & 1:
        raise Problem("already-resigned", "you have resigned from this game", game=game.id)


def free_seat(game: Game, player: str, wanted: int | None) -> int:
    """Return the free seat that a player wants, the first one where none is named. Raises: Problem."""
    if game.table.seat_of(player) is not None:
        raise Problem("already-seated", f"you sit on seat {game.table.seat_of(player)}", game=game.id)
    free = game.table.free_seats
    if not free:
        raise Problem("no-free-seat", "every seat of this game is taken", game=game.id)
    if wanted is not None and wanted not in free:
        raise Problem("seat-taken", f"seat {wanted} is not free; free are {free}", game=game.id, free=free)
    return free[0] if wanted is None else wanted
