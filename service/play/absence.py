"""Absence: a player resigns, takes back a seat that was given to a bot, or sits down on a seat that was opened."""

from __future__ import annotations

from engine import resign as resign_seat

from ..clocks.events import GameResumed, SeatSubstituted, SeatTakenBack
from ..games.events import Event
from ..games.game import Game, StartedGame
from ..games.repository import Answer, Games
from ..idempotency import Attempt
from ..problems import Problem
from .attempts import change_once
from .guards import free_seat, require_active, require_running, seat_of


def resign(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Leave a running game for good; the others play on. A pause ends if only bots are left.

    Raises: Problem, Refusal.
    """

    def leave(game: Game) -> list[Event]:
        seat = seat_of(game, player)
        running = require_running(game)
        events = resign_seat(running.state.copy(), seat, running.chance)
        return [*([GameResumed(seat)] if _pauses_for(running, seat) else []), *events]

    return change_once(games, game_id, player, attempt, leave)


def take_back(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Take back a seat that was given to a bot. Raises: Problem."""

    def back(game: Game) -> list[Event]:
        seat = seat_of(game, player)
        require_active(require_running(game), seat)
        if game.table.seats[seat].bot is None:
            raise Problem("seat-not-with-bot", "no bot is playing your seat: you can move yourself", game=game_id)
        return [SeatTakenBack(seat, player)]

    return change_once(games, game_id, player, attempt, back)


def substitute(
    games: Games, game_id: str, player: str, seat_wanted: int | None, attempt: Attempt | None = None
) -> Answer:
    """Sit down on a seat of a running game that was taken from an absent player. Raises: Problem."""

    def sit(game: Game) -> list[Event]:
        if not require_running(game).table.free_seats:
            raise Problem("game-started", "the game has started, and no seat is free: join another game", game=game_id)
        return [SeatSubstituted(free_seat(game, player, seat_wanted), player)]

    return change_once(games, game_id, player, attempt, sit)


def _pauses_for(game: StartedGame, seat: int) -> bool:
    """Return whether a game is paused, and nobody is left who could end the pause when the player of a seat resigns."""
    clock = game.table.clock
    return clock is not None and clock.paused is not None and set(game.seats_of_people()) <= {seat}
