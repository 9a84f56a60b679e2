"""Guards: checks that the player who sent a request has a seat and has not resigned, and that the game is running."""

from __future__ import annotations

from collections.abc import Container

from ..games.events import PLAYERS, GameCancelled
from ..games.game import Game, StartedGame
from ..games.repository import Seen, named
from ..games.table import CANCELLED, FINISHED, OPEN
from ..problems import Problem
from ..timekeeping.deadlines import CLOCK

_NOT_RUNNING = {OPEN: "game-not-started", FINISHED: "game-over"}
_NOT_RUNNING_DETAILS = {
    OPEN: "the game has not started yet: wait for the game-started event",
    FINISHED: "the game is over: its result names the winners",
}


def seat_of(game: Game, player: str) -> int:
    """Return a player's seat. Raises: Problem (not-seated)."""
    seat = game.table.seat_of(player)
    if seat is None:
        raise Problem(
            "not-seated",
            "you do not have a seat in this game: join the game, or send the token of a player who has a seat",
            game=game.id,
        )
    return seat


def require_participant(game: Game, player: str) -> None:
    """Check that a player has a seat in a game, or owns the game. Raises: Problem (not-seated)."""
    if player != game.table.opened.owner:
        seat_of(game, player)


def require_owner(game: Game, player: str, action: str) -> None:
    """Check that a player owns a game. `action` completes the problem's text: "only the game's owner can ...".

    Raises: Problem (not-the-owner).
    """
    if player != game.table.opened.owner:
        raise Problem("not-the-owner", f"only the game's owner can {action}: ask the owner", game=game.id)


def require_running(game: Game) -> StartedGame:
    """Return the game if it is running. Raises: Problem (game-not-started, game-cancelled, game-over)."""
    if game.status == CANCELLED:
        raise cancelled(game)
    if game.status in _NOT_RUNNING or not isinstance(game, StartedGame):
        raise Problem(_NOT_RUNNING[game.status], _NOT_RUNNING_DETAILS[game.status], game=game.id)
    return game


def require_seen(game: Game, seen: Seen) -> None:
    """Check that nobody has moved since the newest version in `seen`. Raises: Problem (stale-version)."""
    if seen is None:
        return
    # Only the newest existing version in `seen` can be the current one, so only this version is compared.
    newest = max(seen if len(seen) == 1 else [one for one in seen if one <= game.version], default=None)
    if newest is None or game.moved_since(newest):
        raise Problem(
            "stale-version",
            f"{named(seen)}, but the game is now at version {game.version}: fetch the game and choose again",
            game=game.id,
            version=game.version,
        )


def cancelled(game: Game) -> Problem:
    """Return the problem for a request on a cancelled game, with the host's reason if the host cancelled it."""
    if isinstance(game.table.cancelled, GameCancelled) and game.table.cancelled.by == CLOCK:
        detail = "the game was cancelled, because nobody joined in time: open or join another game"
        return Problem("game-cancelled", detail, game=game.id)
    if isinstance(game.table.cancelled, GameCancelled) and game.table.cancelled.by == PLAYERS:
        return Problem("game-cancelled", "the players agreed to end the game: open or join another game", game=game.id)
    if isinstance(game.table.cancelled, GameCancelled):
        reason = game.table.cancelled.reason
        detail = f"the host cancelled the game ({reason}): open or join another game"
        return Problem("game-cancelled", detail, game=game.id, reason=reason)
    detail = "the game was cancelled before it started: open or join another game"
    return Problem("game-cancelled", detail, game=game.id)


def require_active(game: StartedGame, seat: int) -> None:
    """Check that a seat's player has not resigned. Raises: Problem (already-resigned)."""
    if game.state.gone >> seat & 1:
        raise Problem("already-resigned", "you have resigned from this game", game=game.id)


def require_no_bot(game: StartedGame, seat: int) -> None:
    """Check that no bot plays a player's seat. Raises: Problem (seat-with-bot)."""
    if game.table.seats[seat].bot is not None:
        raise Problem(
            "seat-with-bot",
            f"a bot is playing your seat: take it back with POST /v1/games/{game.id}/return",
            game=game.id,
        )


def free_seat(game: Game, player: str, seat_wanted: int | None, reserved: Container[int] = ()) -> int:
    """Return the free seat that a player wants, or the first free seat if `seat_wanted` is None.

    Seats that are `reserved` for other players are not free. Raises: Problem (already-seated, no-free-seat,
    seat-taken).
    """
    if game.table.seat_of(player) is not None:
        raise Problem("already-seated", f"you already have seat {game.table.seat_of(player)}", game=game.id)
    free = [seat for seat in game.table.free_seats if seat not in reserved]
    if not free:
        raise Problem("no-free-seat", "every seat in this game is taken: join or open another game", game=game.id)
    if seat_wanted is not None and seat_wanted not in free:
        raise Problem(
            "seat-taken",
            f"seat {seat_wanted} is already taken: choose one of {free}, or leave out `seat`",
            game=game.id,
            free=free,
        )
    return free[0] if seat_wanted is None else seat_wanted
