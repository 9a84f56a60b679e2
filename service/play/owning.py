"""Owning: a game's owner can close seats or give them to bots before the start, and make another player the owner."""

from __future__ import annotations

from engine import edition, require_seats

from ..games.events import Event, SeatClosed, TableHandedOver, bot_seated
from ..games.game import Game
from ..games.repository import Answer, Games
from ..idempotency import Attempt
from ..problems import Problem
from .absence import require_unfinished
from .attempts import change_once
from .guards import require_owner
from .seating import require_open, with_start


def close_seat(games: Games, game_id: str, owner: str, seat: int, attempt: Attempt | None = None) -> Answer:
    """Remove a free seat from an open game. If no seat is free afterwards, the game may start.

    Raises: Problem (not-the-owner, game-started, game-cancelled, seat-taken), WrongSeats.
    """

    def close(game: Game) -> list[Event]:
        _require_free_seat(game, owner, seat, "close a seat")
        opened = game.table.opened
        require_seats(edition(opened.edition, options=opened.options), opened.seats - 1)
        return with_start(game, [SeatClosed(seat)])

    return change_once(games, game_id, owner, attempt, close)


def seat_bot(games: Games, game_id: str, owner: str, seat: int, bot: str, attempt: Attempt | None = None) -> Answer:
    """Give a free seat in an open game to a bot. If no seat is free afterwards, the game may start.

    Raises: Problem (not-the-owner, game-started, game-cancelled, seat-taken).
    """

    def give(game: Game) -> list[Event]:
        _require_free_seat(game, owner, seat, "give a seat to a bot")
        return with_start(game, [bot_seated(seat, bot)])

    return change_once(games, game_id, owner, attempt, give)


def hand_over(games: Games, game_id: str, owner: str, player: str | None, attempt: Attempt | None = None) -> Answer:
    """Hand over an unfinished game to another player, who must have a seat.

    `player` is None if the caller chose an empty seat. Raises: Problem (not-the-owner, game-cancelled, game-over,
    player-not-seated).
    """

    def hand(game: Game) -> list[Event]:
        require_owner(game, owner, "hand the table over")
        require_unfinished(game)
        if player == owner:
            return []
        seat = None if player is None else game.table.seat_of(player)
        if player is None or seat is None or (game.state is not None and game.state.gone >> seat & 1):
            raise Problem(
                "player-not-seated", "only a player who has a seat can become the owner: choose one", game=game_id
            )
        return [TableHandedOver(player)]

    return change_once(games, game_id, owner, attempt, hand)


def _require_free_seat(game: Game, owner: str, seat: int, action: str) -> None:
    require_owner(game, owner, action)
    require_open(game)
    free = game.table.free_seats
    if seat not in free:
        raise Problem("seat-taken", f"seat {seat} is not free: choose one of {free}", game=game.id, free=free)
