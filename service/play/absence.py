"""Absence: a player resigns, takes back a seat that was given to a bot, or takes over a seat that was opened.

The host can give a player's seat to a bot, and cancel a game.
"""

from __future__ import annotations

from engine import resign as resign_seat

from ..clocks.events import GameResumed, SeatOpened, SeatSubstituted, SeatTakenBack
from ..clocks.settings import BOT, OPEN_SEAT
from ..games.events import Event, GameCancelled, SeatLeft, TableCancelled, seat_given_to_bot
from ..games.game import Game, StartedGame
from ..games.repository import Answer, Games
from ..games.table import OPEN, OVER
from ..idempotency import Attempt
from ..problems import Problem
from .attempts import change_once
from .guards import free_seat, require_active, require_running, seat_of


def resign(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Leave a running game for good. The other players continue. If only bots remain, any pause ends.

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
            raise Problem(
                "seat-not-with-bot", "no bot is playing your seat, so there is nothing to take back", game=game_id
            )
        return [SeatTakenBack(seat, player)]

    return change_once(games, game_id, player, attempt, back)


def substitute(
    games: Games, game_id: str, player: str, seat_wanted: int | None, attempt: Attempt | None = None
) -> Answer:
    """Take over the seat of an absent player in a running game, if the seat was opened to other players.

    Raises: Problem.
    """

    def sit(game: Game) -> list[Event]:
        if not require_running(game).table.free_seats:
            raise Problem("game-started", "the game has started, and no seat is free: join another game", game=game_id)
        return [SeatSubstituted(free_seat(game, player, seat_wanted), player)]

    return change_once(games, game_id, player, attempt, sit)


def give_up(games: Games, game_id: str, player: str) -> None:
    """Permanently give up a player's place in a game, whatever the game's status.

    Calling this function again changes nothing. An open game is cancelled if the player owns it. If the game is open
    and somebody else owns it, the player leaves the game. In a running game, the settings for absent players decide who
    gets the seat: a bot, or another player who takes it. With any other setting, or without a clock, the seat resigns,
    because the other players would otherwise wait for that seat. Raises: Problem, StoreError.
    """

    def events_of(game: Game) -> list[Event]:
        seat = game.table.seat_of(player)
        if game.status == OPEN and game.table.opened.owner == player:
            return [TableCancelled(player)]
        if seat is None or game.status in OVER:
            return []
        return [SeatLeft(seat, player)] if game.status == OPEN else _handing_over(require_running(game), seat, player)

    change_once(games, game_id, player, None, events_of)


def _handing_over(game: StartedGame, seat: int, player: str) -> list[Event]:
    """Return the events that hand over a seat, or none if the player has resigned or a bot already plays the seat."""
    if game.state.gone >> seat & 1 or game.table.seats[seat].bot is not None:
        return []
    resumes: list[Event] = [GameResumed(seat)] if _pauses_for(game, seat) else []
    settings = None if game.table.clock is None else game.table.clock.settings
    if settings is not None and settings.at_timeout == BOT:
        return [*resumes, seat_given_to_bot(seat, settings.bot)]
    if settings is not None and settings.at_timeout == OPEN_SEAT:
        return [*resumes, SeatOpened(seat, player)]
    return [*resumes, *resign_seat(game.state.copy(), seat, game.chance)]


def give_to_bot(games: Games, game_id: str, by: str, seat: int, bot: str, attempt: Attempt | None = None) -> Answer:
    """Give a player's seat in a running game to a bot, without checking the caller. The player can take the seat back.

    If only bots remain, any pause ends. Raises: Problem (seat-not-given).
    """

    def give(game: Game) -> list[Event]:
        running = require_running(game)
        seats = running.table.seats
        if seat >= len(seats):
            raise Problem("seat-not-given", f"the seats are numbered from 0 to {len(seats) - 1}", game=game_id)
        if seat not in running.seats_of_people():
            raise Problem("seat-not-given", f"no person is playing seat {seat}: choose another seat", game=game_id)
        return [*([GameResumed(seat)] if _pauses_for(running, seat) else []), seat_given_to_bot(seat, bot)]

    return change_once(games, game_id, by, attempt, give)


def cancel(games: Games, game_id: str, by: str, reason: str, attempt: Attempt | None = None) -> Answer:
    """Cancel an open or running game, without checking the caller. Raises: Problem (game-cancelled, game-over)."""

    def end(game: Game) -> list[Event]:
        require_unfinished(game)
        return [GameCancelled(by, reason)]

    return change_once(games, game_id, by, attempt, end)


def require_unfinished(game: Game) -> None:
    """Check that a game has not ended. Raises: Problem (game-cancelled, game-over)."""
    if game.status in OVER:
        require_running(game)


def _pauses_for(game: StartedGame, seat: int) -> bool:
    """Return whether a game is paused and nobody but this seat's player can end the pause."""
    clock = game.table.clock
    return clock is not None and clock.paused is not None and set(game.seats_of_people()) <= {seat}
