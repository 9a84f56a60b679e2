"""Leeway: how far a row may differ from the log if its value also depends on the time or on standing orders.

All other rows must match the log exactly.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import EngineError, view_for

from ..clocks.reckoning import SECOND
from ..games.game import Game, StartedGame
from ..orders.decisions import answer
from ..orders.storing import read, refresh
from ..store.effects import holds
from ..store.indexes import family_of
from ..store.orders import StoredOrders
from ..store.transport import Command


class Leeway(NamedTuple):
    """The latest allowed time of an alarm (None if there is no alarm) and the log server's time, in ms since the epoch.

    >>> leeway = Leeway(latest=8, at=9)
    >>> alarm, due = ("ZADD", "condottiere:{s17}:looks", 5, "game"), ("ZADD", "condottiere:{s17}:due", 5, "game")
    >>> [leeway.holds(alarm, found) for found in (b"4", b"5", b"8", b"9", b"")]
    [False, True, True, False, False]
    >>> [leeway.holds(due, found) for found in (b"4", b"9", b"10", b"nan", b"")]
    [True, True, False, False, False]
    """

    latest: int | None
    at: int

    def holds(self, command: Command, value: bytes) -> bool:
        """Return whether a row may have this `value` after `command` has written to the row.

        An alarm may have been postponed since it was written. The time at which a game became due comes from the log
        server's clock, so this time cannot be derived from the log.
        """
        match command[0], family_of(command[1]):
            case "ZADD", "looks":
                return bool(value) and command[2] <= float(value) <= max(self.latest or 0, command[2])
            case "ZADD", "due":
                return 0 < float(value or 0) <= self.at
        return holds(command, value)


def latest_look(game: Game, now: int) -> int | None:
    """Return the latest time for which an alarm may now be set (ms since the epoch), or None if no clock is running.

    The timekeeper postpones an alarm to the next time at which something may be due. The result assumes that the
    machines' clocks agree to within a second.
    """
    clock = game.table.clock
    return None if clock is None or game.seat_to_act is None else clock.next_look(now + SECOND)


def orders_act(game: Game, stored: StoredOrders) -> bool | None:
    """Return True if standing orders must act now, None if there are orders but they do not apply, and False otherwise.

    If the orders do not apply, the game may remain in `due` until the worker has read the orders. Raises: ValueError if
    the orders cannot be read.
    """
    seat = game.seat_to_act
    if game.player_to_act() is None or seat is None or not stored.orders or not isinstance(game, StartedGame):
        return False
    try:
        standing = refresh(game, read(game, seat, stored))
        return True if answer(standing.orders, view_for(game.state, seat)) is not None else None
    except (EngineError, LookupError, TypeError, AttributeError) as error:
        raise ValueError("the orders cannot be read") from error
