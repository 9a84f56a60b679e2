"""Timeouts: the events that follow when a player's time runs out, as defined by the settings of the game's clock."""

from __future__ import annotations

from engine import decide, legal_commands, resign
from engine.bots import least_committing

from ..clocks.events import SeatOpened, SeatTimedOut
from ..clocks.game_clock import GameClock, Turn
from ..clocks.settings import BOT, OPEN_SEAT, PASS, RESIGN
from ..games.events import Event, seat_given_to_bot
from ..games.game import StartedGame


def timeout_events(game: StartedGame, clock: GameClock, turn: Turn, player: str) -> list[Event]:
    """Return the events of a turn that times out: the missed turn, and then the consequences that the settings define.

    The turn ends, whatever the settings are. A player who comes back can make the seat's next move.
    """
    misses = clock.misses[turn.seat] + 1
    events: list[Event] = [SeatTimedOut(turn.seat, misses)]
    action = clock.settings.at_timeout if misses >= clock.settings.misses else PASS
    if action == BOT:
        events.append(seat_given_to_bot(turn.seat, clock.settings.bot))
    if action == OPEN_SEAT:
        events.append(SeatOpened(turn.seat, player))
    if action == RESIGN:
        return [*events, *resign(game.state.copy(), turn.seat, game.chance)]
    return [*events, *decide(game.state, least_committing(legal_commands(game.state)), game.chance)]
