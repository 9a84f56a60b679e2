"""Consent: the table agrees to a pause, or to more time for a turn.

Those who are asked are the players who move for themselves: not bots, seats that a bot was given, or who has resigned.
"""

from __future__ import annotations

from .absence import change_clock, seat_in
from .clocks.events import (
    ClockEvent,
    ExtensionAsked,
    ExtensionGranted,
    GamePaused,
    GameResumed,
    PauseAsked,
)
from .clocks.game_clock import EXTENSION, PAUSE, GameClock
from .clocks.reckoning import SECOND, Stop
from .game import Game, Snapshot
from .games import Games
from .problems import Problem


def ask_for_pause(games: Games, game_id: str, player: str) -> Snapshot:
    """Say that a player wants a pause; the game pauses when all want it. Raises: Problem."""

    def ask(game: Game) -> list[ClockEvent]:
        seat, clock = _seat_and_clock(game, player)
        if clock.paused is not None:
            raise Problem("game-paused", "the game pauses already", game=game_id)
        asked: list[ClockEvent] = [] if seat in clock.pause_asked else [PauseAsked(seat)]
        if set(_thinking(game)) <= {*clock.pause_asked, seat}:
            return [*asked, GamePaused()]
        return asked

    return change_clock(games, game_id, player, ask)


def resume(games: Games, game_id: str, player: str) -> Snapshot:
    """Go on after a pause: any player's word is enough. Raises: Problem."""

    def go_on(game: Game) -> list[ClockEvent]:
        seat, clock = _seat_and_clock(game, player)
        if clock.paused is None:
            raise Problem("game-not-paused", "the game does not pause", game=game_id)
        moved = clock.moved(PAUSE, more=[Stop(clock.paused, games.now(), PAUSE)])
        return [GameResumed(seat), *([moved] if moved else [])]

    return change_clock(games, game_id, player, go_on)


def ask_for_extension(games: Games, game_id: str, player: str, seconds: int) -> Snapshot:
    """Ask for more time for one's turn; with nobody to ask it is granted at once. Raises: Problem."""

    def ask(game: Game) -> list[ClockEvent]:
        seat, clock = _seat_and_clock(game, player)
        if clock.turn is None or clock.turn.seat != seat or clock.paused is not None:
            raise Problem("not-your-turn", "only the seat whose clock runs asks for more time", game=game_id)
        left = clock.settings.longest - clock.turn.extra
        if seconds * SECOND > left:
            raise Problem(
                "extension-too-long",
                f"a turn may be extended by as much as it is given: {left // SECOND} more seconds may be asked for",
                game=game_id,
                most=left // SECOND,
            )
        asked: list[ClockEvent] = [ExtensionAsked(seat, seconds * SECOND)]
        return asked if _others(game, seat) else [*asked, *_extended(clock, seconds * SECOND)]

    return change_clock(games, game_id, player, ask)


def grant_extension(games: Games, game_id: str, player: str) -> Snapshot:
    """Agree to the extension that was asked for; it counts when every other player has agreed. Raises: Problem."""

    def grant(game: Game) -> list[ClockEvent]:
        seat, clock = _seat_and_clock(game, player)
        if clock.asked is None or clock.turn is None or clock.turn.seat == seat:
            raise Problem("no-extension-asked", "nobody else has asked for more time in this turn", game=game_id)
        granted: list[ClockEvent] = [] if seat in clock.asked.agreed else [ExtensionGranted(seat)]
        if set(_others(game, clock.turn.seat)) <= {*clock.asked.agreed, seat}:
            granted += _extended(clock, clock.asked.extra)
        return granted

    return change_clock(games, game_id, player, grant)


def _extended(clock: GameClock, extra: int) -> list[ClockEvent]:
    moved = clock.moved(EXTENSION, extra=extra)
    return [moved] if moved else []


def _seat_and_clock(game: Game, player: str) -> tuple[int, GameClock]:
    seat = seat_in(game, player)
    if game.table.clock is None:
        raise Problem("no-clock", "nobody's time is counted in this game", game=game.id)
    return seat, game.table.clock


def _thinking(game: Game) -> list[int]:
    """Return the seats whose players move for themselves."""
    assert game.state is not None
    seats = enumerate(game.table.seats)
    return [n for n, seat in seats if seat.player is not None and seat.bot is None and not game.state.gone >> n & 1]


def _others(game: Game, seat: int) -> list[int]:
    return [other for other in _thinking(game) if other != seat]
