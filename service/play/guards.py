"""What a request on a game needs: a seat, a game that runs, a player who has not resigned."""

from __future__ import annotations

from ..games.game import Game, StartedGame
from ..games.table import CANCELLED, FINISHED, OPEN
from ..problems import Problem

_NOT_RUNNING = {OPEN: "game-not-started", CANCELLED: "game-cancelled", FINISHED: "game-over"}
_NOT_RUNNING_DETAILS = {
    OPEN: "the game has not started yet: wait for the event game-started",
    CANCELLED: "the game was cancelled before it started: open or join another game",
    FINISHED: "the game is over: its result names the winners",
}


def seat_of(game: Game, player: str) -> int:
    """Return a player's seat. Raises: Problem (not-seated)."""
    seat = game.table.seat_of(player)
    if seat is None:
        raise Problem(
            "not-seated",
            "you do not have a seat in this game: join it, or send the token of a player who has one",
            game=game.id,
        )
    return seat


def must_run(game: Game) -> StartedGame:
    """Return a game that runs. Raises: Problem (game-not-started, game-cancelled, game-over)."""
    if game.status in _NOT_RUNNING or not isinstance(game, StartedGame):
        raise Problem(_NOT_RUNNING[game.status], _NOT_RUNNING_DETAILS[game.status], game=game.id)
    return game


def must_be_present(game: StartedGame, seat: int) -> None:
    """Do nothing where the player of a seat has not resigned. Raises: Problem (already-resigned)."""
    if game.state.gone >> seat & 1:
        raise Problem("already-resigned", "you have resigned from this game", game=game.id)


def free_seat(game: Game, player: str, wanted: int | None) -> int:
    """Return the free seat that a player wants, the first one where none is named. Raises: Problem."""
    if game.table.seat_of(player) is not None:
        raise Problem("already-seated", f"you already have seat {game.table.seat_of(player)}", game=game.id)
    free = game.table.free_seats
    if not free:
        raise Problem("no-free-seat", "every seat of this game is taken: join another game, or open one", game=game.id)
    if wanted is not None and wanted not in free:
        raise Problem(
            "seat-taken",
            f"seat {wanted} is already taken: choose one of {free}, or leave out seat",
            game=game.id,
            free=free,
        )
    return free[0] if wanted is None else wanted
