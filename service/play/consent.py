"""Consent: the table agrees to a pause, or to more time for a turn.

Those who are asked are the players who move for themselves: not bots, seats that a bot was given, or who has resigned.
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
from .attempts import change_once
from .guards import must_be_present, must_run, seat_of


def ask_for_pause(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Say that a player wants a pause; the game pauses when all want it. Raises: Problem."""

    def ask(game: Game) -> list[Event]:
        seat, clock = _seat_and_clock(game, player)
        if clock.paused is not None:
            raise Problem("game-paused", "the game is already paused", game=game_id)
        asked: list[Event] = [] if seat in clock.pause_asked else [PauseAsked(seat)]
        if set(game.thinking()) <= {*clock.pause_asked, seat}:
            return [*asked, GamePaused()]
        return asked

    return change_once(games, game_id, player, attempt, ask)


def resume(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Go on after a pause: any player's word is enough. Raises: Problem."""

    def go_on(game: Game) -> list[Event]:
        seat, clock = _seat_and_clock(game, player)
        if clock.paused is None:
            raise Problem("game-not-paused", "the game is not paused", game=game_id)
        # Who came back from a vacation meanwhile has told no game that pauses.
        waits = None if clock.turn is None else game.table.seats[clock.turn.seat].player
        vacation = None if waits is None else hours_of(games, waits).vacation
        moved = clock.moved(PAUSE, vacation=vacation, more=[Stop(clock.paused, games.now(), PAUSE)])
        return [GameResumed(seat), *([moved] if moved else [])]

    return change_once(games, game_id, player, attempt, go_on)


def ask_for_extension(games: Games, game_id: str, player: str, seconds: int, attempt: Attempt | None = None) -> Answer:
    """Ask for more time for one's turn; with nobody to ask it is granted at once. Raises: Problem."""

    def ask(game: Game) -> list[Event]:
        seat, clock = _seat_and_clock(game, player)
        if clock.paused is not None:
            raise Problem(
                "game-paused", "no time passes while the game is paused: ask again after it resumes", game=game_id
            )
        if clock.turn is None or clock.turn.seat != seat:
            raise Problem("not-your-turn", "only the seat whose clock is running can ask for more time", game=game_id)
        if clock.extension is not None:
            raise Problem(
                "extension-pending",
                "the other players have not yet agreed to the time that you asked for: wait for them",
                game=game_id,
            )
        left = clock.settings.longest - clock.turn.extra
        if seconds * SECOND > left:
            raise Problem(
                "extension-too-long",
                f"you may ask for at most {left // SECOND} more seconds in this turn",
                game=game_id,
                most=left // SECOND,
            )
        asked: list[Event] = [ExtensionAsked(seat, seconds * SECOND)]
        return asked if _others(game, seat) else [*asked, *_extended(clock, seconds * SECOND)]

    return change_once(games, game_id, player, attempt, ask)


def grant_extension(games: Games, game_id: str, player: str, seconds: int, attempt: Attempt | None = None) -> Answer:
    """Agree to the extension that was asked for; it counts when every other player has agreed. Raises: Problem.

    So many `seconds` were asked for when the player looked.
    """

    def grant(game: Game) -> list[Event]:
        seat, clock = _seat_and_clock(game, player)
        if clock.extension is None or clock.turn is None or clock.turn.seat == seat:
            raise Problem("no-extension-asked", "no other player has asked for more time in this turn", game=game_id)
        if clock.extension.extra != seconds * SECOND:
            asked = clock.extension.extra // SECOND
            raise Problem(
                "no-extension-asked", f"the player asked for {asked} seconds, not {seconds}: send {asked}", game=game_id
            )
        granted: list[Event] = [] if seat in clock.extension.agreed else [ExtensionGranted(seat)]
        if set(_others(game, clock.turn.seat)) <= {*clock.extension.agreed, seat}:
            granted += _extended(clock, clock.extension.extra)
        return granted

    return change_once(games, game_id, player, attempt, grant)


def _extended(clock: GameClock, extra: int) -> list[Event]:
    moved = clock.moved(EXTENSION, extra=extra)
    return [moved] if moved else []


def _seat_and_clock(game: Game, player: str) -> tuple[int, GameClock]:
    seat = seat_of(game, player)
    must_be_present(must_run(game), seat)
    if game.table.clock is None:
        raise Problem(
            "no-clock", "this game was opened without a clock, so there is nothing to pause or extend", game=game.id
        )
    return seat, game.table.clock


def _others(game: Game, seat: int) -> list[int]:
    return [other for other in game.thinking() if other != seat]
