"""Leeway: what an index may hold that follows from a log, from the time and from standing orders.

All other rows hold exactly what the log says.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import EngineError, view_for

from ..clocks.reckoning import SECOND
from ..games.game import Game, StartedGame
from ..orders.decisions import answer
from ..orders.storing import read, settled
from ..store.indexes import family_of
from ..store.orders import Kept
from ..store.transport import Command
from ..store.written import holds


class Leeway(NamedTuple):
    """How late an alarm may be, and the log server's time (both ms since the epoch); `latest` is None for no alarm.

    >>> leeway = Leeway(latest=8, at=9)
    >>> alarm, due = ("ZADD", "condottiere:{s17}:looks", 5, "game"), ("ZADD", "condottiere:{s17}:due", 5, "game")
    >>> [leeway.holds(alarm, found) for found in (b"4", b"5", b"8", b"9", b"")]
    [False, True, True, False, False]
    >>> [leeway.holds(due, found) for found in (b"4", b"9", b"10", b"nan", b"")]
    [True, True, False, False, False]
    """

    latest: int | None
    at: int

    def holds(self, command: Command, found: bytes) -> bool:
        """Tell whether a row holds what its last command has written, or what may have come of it since.

        An alarm may be put off, and since when a game is due is by the log server's clock, which no log has.
        """
        match command[0], family_of(command[1]):
            case "ZADD", "looks":
                return bool(found) and command[2] <= float(found) <= max(self.latest or 0, command[2])
            case "ZADD", "due":
                return 0 < float(found or 0) <= self.at
        return holds(command, found)


def latest_look(game: Game, now: int) -> int | None:
    """Return until when an alarm may have been put off at a time (ms since the epoch), None where no clock runs.

    The timekeeper puts an alarm off to the next look that is still to come. Clocks agree to within a second.
    """
    clock = game.table.clock
    return None if clock is None or game.asked is None else clock.next_look(now + SECOND)


def orders_act(game: Game, kept: Kept) -> bool | None:
    """Tell whether standing orders must answer now; None where there are some that say nothing.

    Then the game may be due until the worker has read them. Raises: ValueError where they cannot be read.
    """
    seat = game.asked
    if game.player_to_act() is None or seat is None or not kept.orders or not isinstance(game, StartedGame):
        return False
    try:
        standing = settled(game, read(game, seat, kept))
        return True if answer(standing.orders, view_for(game.state, seat)) is not None else None
    except (EngineError, LookupError, TypeError, AttributeError) as error:
        raise ValueError("orders that cannot be read") from error
