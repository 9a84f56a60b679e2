"""Deadlines: they move where they must, and run out.

What is due in a game is written by whoever comes first, the clock process or a request: the append makes it once.
"""

from __future__ import annotations

import logging

from ..clocks.events import SeatReminded
from ..clocks.game_clock import LEAD, GameClock, Turn
from ..clocks.hours import Hours
from ..clocks.vacation import LEAST, VACATION
from ..games.game import Game, StartedGame
from ..games.isolation import isolated
from ..games.repository import Games, load
from ..store.connection import ReadAhead
from .availability import begin_vacation, stops_of
from .changes import append_change, credit_for
from .timeouts import timeout_events
from .vacations import move_deadlines

MOST = 20
"""How many games are seen to for one look at many, where a deadline is over and the clock has not written so yet."""
CLOCK = "clock"
"""Who makes the commits that no player and no bot makes."""

_logger = logging.getLogger(__name__)


def current(games: Games, game_id: str, ahead: ReadAhead | None = None) -> Game:
    """Return a game as it stands now: a timeout that is due has been written before anybody looks.

    `ahead` is as for `load`. Raises: Problem (unknown-game), CorruptLog, StoreUnavailable.
    """
    seen = None
    while True:
        game = load(games, game_id, ahead)
        if game.version == seen or not _is_overdue(games, game):
            return game
        seen = game.version
        write_due(games, game)


def write_overdue(games: Games) -> None:
    """Write the timeouts that are due in any game: who looks at many sees none as it stood before a deadline.

    The clock writes them within a second, so there are few; `MOST` are written at most. One round trip where nothing is
    due. Raises: StoreUnavailable.
    """
    now = games.now()
    due = games.store.alarms.due(now, MOST)[:MOST]
    if not due or games.store.presence.seen().silent(now):
        return
    for game_id in due:
        with isolated(_logger, game_id, "cannot record the timeout of game %s"):
            current(games, game_id)


def keep_time(games: Games, game_id: str) -> bool:
    """Write what is due in a game now, as it stands in its log. Returns and raises: as `write_due`, and as `load`."""
    return write_due(games, load(games, game_id))


def write_due(games: Games, game: Game) -> bool:
    """Write what is due in a game now, one commit at most; False where nothing was, or somebody else wrote meanwhile.

    First what moves the deadline, so that nobody's time runs out while the service was down or its player is away; then
    a timeout or a reminder. Raises: StoreUnavailable.
    """
    now, clock, player = games.now(), game.table.clock, game.player_to_act()
    if not isinstance(game, StartedGame) or clock is None or clock.turn is None or player is None:
        return False
    turn, (seen, hours) = clock.turn, stops_of(games, player)
    credit = credit_for(clock, seen.outages)
    begins = None if credit or seen.silent(now) else _vacation_due(clock, turn, hours, now)
    if begins is not None:
        begin_vacation(games, player, begins, None)
        move_deadlines(games, player)
        return True
    moved = credit or clock.moved(VACATION, vacation=hours.vacation)
    # Who came back was told so at once, or would be told too late here: a deadline that was shown is not taken back.
    if moved is not None and moved.deadline > turn.deadline:
        return append_change(games, game, CLOCK, [moved]) is not None
    if clock.overdue(now):
        if seen.silent(now):
            return False
        events = timeout_events(game, clock, turn, player)
        return append_change(games, game, CLOCK, events, key=f"timeout-{game.version}") is not None
    if (reminder := turn.due_reminder(now)) is not None:
        return append_change(games, game, CLOCK, [SeatReminded(turn.seat, reminder)]) is not None
    games.store.alarms.put_off(game.id, game.version, clock.next_look(now) or turn.deadline)
    return False


def give_credit(games: Games, game_id: str) -> bool:
    """Move a game's deadline by the outages that its turn has seen; False where it stays, or somebody else wrote.

    Who finds the deadline over looks for outages once more. Raises: as `keep_time`.
    """
    game = load(games, game_id)
    if game.table.clock is None or game.asked is None:
        return False
    credit = credit_for(game.table.clock, games.store.presence.seen().outages)
    return credit is not None and append_change(games, game, CLOCK, [credit]) is not None


def _is_overdue(games: Games, game: Game) -> bool:
    clock = game.table.clock
    return clock is not None and game.asked is not None and clock.overdue(games.now())


def _vacation_due(clock: GameClock, turn: Turn, hours: Hours, now: int) -> int | None:
    """Return when a vacation that may begin by itself should have begun before this deadline, None where none should.

    However late this is asked, it is the same.
    """
    begins, vacation = turn.deadline - LEAD, hours.vacation
    wanted = clock.settings.vacation and hours.auto_vacation and turn.since <= begins <= now
    return begins if wanted and not vacation.active(begins) and vacation.left(begins) >= LEAST else None
