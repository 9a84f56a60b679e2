"""Consent: players ask for a pause or for more time for a turn, and the other players agree.

All players who make their own moves must agree. Bots, players whose seats were given to a bot, and players who have
resigned are not asked.
"""

from __future__ import annotations

from ..clocks.events import ExtensionAsked, ExtensionGranted, GamePaused, GameResumed, PauseAsked
from ..clocks.game_clock import EXTENSION, PAUSE, GameClock
from ..clocks.reckoning import SECOND, Stop
from ..games.events import Event
from ..games.game import Game
from ..games.repository import Answer, Games
from ..idempotency import Attempt
from ..problems import Problem
from ..timekeeping.availability import hours_of
from ..timekeeping.changes import time_of_change
from .attempts import change_once
from .guards import require_active, require_running, seat_of


def ask_for_pause(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Record that a player wants a pause. The game pauses once all players want a pause. Raises: Problem."""

    def ask(game: Game) -> list[Event]:
        seat, clock = _seat_and_clock(game, player)
        if clock.paused is not None:
            raise Problem("game-paused", "the game is already paused", game=game_id)
        request: list[Event] = [] if seat in clock.pause_asked else [PauseAsked(seat)]
        if set(game.seats_of_people()) <= {*clock.pause_asked, seat}:
            return [*request, GamePaused()]
        return request

    return change_once(games, game_id, player, attempt, ask)


def resume(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """End a pause. Any player can end a pause without asking the others. Raises: Problem."""

    def go_on(game: Game) -> list[Event]:
        seat, clock = _seat_and_clock(game, player)
        if clock.paused is None:
            raise Problem("game-not-paused", "the game is not paused", game=game_id)
        # If a vacation ended during the pause, the deadline has not been adjusted for that yet.
        player_to_act = None if clock.turn is None else game.table.seats[clock.turn.seat].player
        vacation = None if player_to_act is None else hours_of(games, player_to_act).vacation
        until = max(clock.paused, time_of_change(games, game))
        deadline_moved = clock.move_event(PAUSE, vacation=vacation, other_stops=[Stop(clock.paused, until, PAUSE)])
        return [GameResumed(seat), *([deadline_moved] if deadline_moved else [])]

    return change_once(games, game_id, player, attempt, go_on)


def ask_for_extension(games: Games, game_id: str, player: str, seconds: int, attempt: Attempt | None = None) -> Answer:
    """Ask for more time for the player's turn. The time is granted immediately if nobody else has to agree.

    Raises: Problem.
    """

    def ask(game: Game) -> list[Event]:
        seat, clock = _seat_and_clock(game, player)
        if clock.paused is not None:
            raise Problem(
                "game-paused",
                "clocks are stopped while the game is paused: ask for more time once it resumes",
                game=game_id,
            )
        if clock.turn is None or clock.turn.seat != seat:
            raise Problem("not-your-turn", "only the seat whose clock is running can ask for more time", game=game_id)
        if clock.extension is not None:
            raise Problem(
                "extension-pending",
                "you have already asked for more time: wait for the other players to agree",
                game=game_id,
            )
        remaining = clock.settings.longest - clock.turn.extra
        if seconds * SECOND > remaining:
            raise Problem(
                "extension-too-long",
                f"you can ask for at most {remaining // SECOND} more seconds this turn",
                game=game_id,
                most=remaining // SECOND,
            )
        request: list[Event] = [ExtensionAsked(seat, seconds * SECOND)]
        return request if _other_seats(game, seat) else [*request, *_extend(clock, seconds * SECOND)]

    return change_once(games, game_id, player, attempt, ask)


def grant_extension(games: Games, game_id: str, player: str, seconds: int, attempt: Attempt | None = None) -> Answer:
    """Agree to the requested extension, which takes effect when every other player has agreed. Raises: Problem.

    `seconds` is the length of the extension that the player agrees to.
    """

    def grant(game: Game) -> list[Event]:
        seat, clock = _seat_and_clock(game, player)
        if clock.extension is None or clock.turn is None or clock.turn.seat == seat:
            raise Problem("no-extension-asked", "no other player has asked for more time this turn", game=game_id)
        if clock.extension.extra != seconds * SECOND:
            seconds_requested = clock.extension.extra // SECOND
            raise Problem(
                "no-extension-asked",
                f"the player asked for {seconds_requested} seconds, not {seconds}: send {seconds_requested}",
                game=game_id,
            )
        events: list[Event] = [] if seat in clock.extension.agreed else [ExtensionGranted(seat)]
        if set(_other_seats(game, clock.turn.seat)) <= {*clock.extension.agreed, seat}:
            events += _extend(clock, clock.extension.extra)
        return events

    return change_once(games, game_id, player, attempt, grant)


def _extend(clock: GameClock, extra: int) -> list[Event]:
    deadline_moved = clock.move_event(EXTENSION, extra=extra)
    return [deadline_moved] if deadline_moved else []


def _seat_and_clock(game: Game, player: str) -> tuple[int, GameClock]:
    seat = seat_of(game, player)
    require_active(require_running(game), seat)
    if game.table.clock is None:
        raise Problem(
            "no-clock", "this game was opened without a clock, so there is nothing to pause or extend", game=game.id
        )
    return seat, game.table.clock


def _other_seats(game: Game, seat: int) -> list[int]:
    return [other for other in game.seats_of_people() if other != seat]
