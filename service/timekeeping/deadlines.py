"""Deadlines: functions that move deadlines when necessary, and write timeouts after deadlines have passed.

When an event is due in a game, either the clock process or a request writes it, whichever comes first. No event is
appended twice.
"""

from __future__ import annotations

import logging

from ..clocks.events import SeatReminded
from ..clocks.game_clock import LEAD, GameClock, Turn
from ..clocks.hours import Hours
from ..clocks.vacation import SHORTEST, VACATION
from ..games.game import Game, StartedGame
from ..games.isolation import isolated
from ..games.repository import Games, load
from ..metrics.table import LATENESS
from ..store.connection import ReadAhead
from .availability import begin_vacation, stops_of
from .changes import append_change, credit_for
from .timeouts import timeout_events
from .vacations import move_deadlines

MAX_WRITTEN = 20
"""The maximum number of games in which one request writes timeouts that the clock process has not written yet."""
CLOCK = "clock"
"""The author of commits that neither a player nor a bot makes."""

_logger = logging.getLogger(__name__)


def current(games: Games, game_id: str, ahead: ReadAhead | None = None) -> Game:
    """Load a game, write a timeout if one is due, and return the current game.

    For `ahead`, see `load`. Raises: Problem (unknown-game), CorruptLog, StoreUnavailable.
    """
    version = None
    while True:
        game = load(games, game_id, ahead)
        if game.version == version or not _is_overdue(games, game):
            return game
        version = game.version
        write_due(games, game)


def write_overdue(games: Games) -> None:
    """Write the due timeouts of all games, so that lists do not show games as they were before their deadlines.

    The clock process writes most timeouts within a second, so few are left for this function. `write_overdue` processes
    at most `MAX_WRITTEN` games, and takes one round trip if nothing is due. Raises: StoreUnavailable.
    """
    now = games.now()
    game_ids = games.store.alarms.due(now, MAX_WRITTEN)[:MAX_WRITTEN]
    if not game_ids or games.store.presence.read().silent(now):
        return
    for game_id in game_ids:
        with isolated(_logger, game_id, "cannot record the timeout of game %s"):
            current(games, game_id)


def keep_time(games: Games, game_id: str) -> bool:
    """Load a game, and call `write_due`. Raises: the same errors as `load`."""
    return write_due(games, load(games, game_id))


def write_due(games: Games, game: Game) -> bool:
    """Write the event that is due in a game now. Return False if no event was due, or if the game has changed.

    Outages and vacations do not use up the player's time. If an outage or a vacation requires a later deadline, this
    call only moves the deadline. Otherwise, the event is a timeout or a reminder. While the store is read-only, nothing
    is due. Raises: StoreUnavailable.
    """
    now, clock, player = games.now(), game.table.clock, game.player_to_act()
    if not isinstance(game, StartedGame) or clock is None or clock.turn is None or player is None:
        return False
    turn, (presence, hours) = clock.turn, stops_of(games, player)
    if presence.read_only:
        return False
    credit = credit_for(clock, presence.outages)
    begins = None if credit or presence.silent(now) else _vacation_due(clock, turn, hours, now)
    if begins is not None:
        begin_vacation(games, player, begins, None)
        move_deadlines(games, player)
        return True
    event = credit or clock.move_event(VACATION, vacation=hours.vacation)
    # A deadline that is earlier than the turn's deadline is not written here, because players may already have seen the
    # later deadline, and because the end of a vacation moves the deadline immediately, without this call.
    if event is not None and event.deadline > turn.deadline:
        return append_change(games, game, CLOCK, [event]) is not None
    if clock.overdue(now):
        if presence.silent(now):
            return False
        events = timeout_events(game, clock, turn, player)
        if append_change(games, game, CLOCK, events, key=f"timeout-{game.version}") is None:
            return False
        LATENESS.observe((games.now() - turn.deadline) / 1000)
        return True
    if (reminder := turn.reminder_to_send(now)) is not None:
        return append_change(games, game, CLOCK, [SeatReminded(turn.seat, reminder)]) is not None
    games.store.alarms.put_off(game.id, game.version, clock.next_look(now) or turn.deadline)
    return False


def give_credit(games: Games, game_id: str) -> bool:
    """Move a game's deadline to make up for outages since the turn began.

    Return False if there were no outages or the game has changed. Outages are rechecked before a timeout is written.
    Raises: the same errors as `keep_time`.
    """
    game = load(games, game_id)
    if game.table.clock is None or game.seat_to_act is None:
        return False
    credit = credit_for(game.table.clock, games.store.presence.read().outages)
    return credit is not None and append_change(games, game, CLOCK, [credit]) is not None


def _is_overdue(games: Games, game: Game) -> bool:
    clock = game.table.clock
    return clock is not None and game.seat_to_act is not None and clock.overdue(games.now())


def _vacation_due(clock: GameClock, turn: Turn, hours: Hours, now: int) -> int | None:
    """Return the time at which an automatic vacation begins in a turn, or None if none is due.

    The vacation begins `LEAD` ms before the turn's deadline, but never before the turn begins. This time does not
    depend on when the function is called. If a turn is shorter than `LEAD` ms, no vacation begins. If the game's owner
    advanced the clock, the turn's length includes the skipped time.
    """
    begins, vacation = max(turn.deadline - LEAD, turn.since), hours.vacation
    is_long = turn.since - turn.advanced <= turn.deadline - LEAD
    is_due = clock.settings.vacation and hours.auto_vacation and is_long and begins <= now
    return begins if is_due and not vacation.active(begins) and vacation.time_left(begins) >= SHORTEST else None
