"""Projections: what an append writes beside the log, so that lists, feeds and statistics never lag behind a game.

Each function answers for one index: it says what a change of a game writes there. Where the index lies, and what its
rows look like, stands in the file of `store` that is named with it. `rebuild` derives all of them from the logs again.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.events import GameStarted, SeatResigned

from ..clocks.events import SeatGivenToBot, SeatOpened, SeatSubstituted, SeatTakenBack, SeatTimedOut
from ..store.alarms import set_alarm
from ..store.bot_seats import forget_bot_seat, note_bot_seat
from ..store.feeds import fed
from ..store.lists import Listing, listed
from ..store.orders import forgotten, withdrawn
from ..store.statistics import moved, timed_out
from ..store.transport import Command
from ..store.turns import waiting
from .changes import Change
from .events import ENDS_TURN
from .list_entries import show_summary, show_turn
from .table import FINISHED, OPEN, RUNNING

_SEATING = frozenset({GameStarted, SeatGivenToBot, SeatTakenBack, SeatOpened, SeatSubstituted})
"""Events that change what lists show of a running game."""
_ORDERS_END = frozenset({SeatGivenToBot, SeatResigned, SeatOpened})
"""Events after which the player of a seat does not move for it."""


def feeds(change: Change) -> list[Command]:
    """Add the commit to the feeds of everybody whom it concerns (`store.feeds`)."""
    return fed(change.game.id, change.commit.seq, change.concerned)


def lists(change: Change) -> list[Command]:
    """Write what lists show of the game, where that changes (`store.lists`)."""
    game = change.game
    if game.status == RUNNING and not _SEATING & change.kinds:
        return []
    return listed(game.id, Listing(_names(change), show_summary(game), change.commit.at, change.sitting, change.left))


def inbox(change: Change) -> list[Command]:
    """Write for whom the game waits (`store.turns`)."""
    game = change.game
    if game.state is None or not (ENDS_TURN & change.kinds or game.table.clock is not None):
        return []
    return waiting(game.id, change.concerned, game.player_to_act(), show_turn(game, game.state))


def alarms(change: Change) -> list[Command]:
    """Set when the timekeeper must look at the game (`store.alarms`)."""
    game, clock = change.game, change.game.table.clock
    if clock is None:
        return []
    return [set_alarm(game.id, clock.next_look(change.commit.at) if game.asked is not None else None)]


def statistics(change: Change) -> list[Command]:
    """Count a player's move, and each timeout (`store.statistics`)."""
    game_id, commit = change.game.id, change.commit
    counts = [] if change.thought is None else moved(game_id, commit.by, change.thought)
    return [*counts, *(write for player in _late(change) for write in timed_out(game_id, player))]


def bot_seats(change: Change) -> list[Command]:
    """Note each seat that a bot has been given, and forget those that are no longer their players' to take.

    Every commit notes them again, also those of before there were such notes (`store.bot_seats`).
    """
    game = change.game
    if game.state is None or game.table.clock is None:
        return []
    back = [event.player for event in change.commit.events if isinstance(event, SeatTakenBack | SeatOpened)]
    writes = [forget_bot_seat(game.id, player) for player in back]
    for number, seat in enumerate(game.table.seats):
        if seat.player is None or seat.given_at is None:
            continue
        may_return = game.status == RUNNING and not game.state.gone >> number & 1
        notice = {"game": game.id, "seat": number, "since": seat.given_at}
        writes.append(
            note_bot_seat(game.id, seat.player, notice) if may_return else forget_bot_seat(game.id, seat.player)
        )
    return writes


def orders(change: Change) -> list[Command]:
    """Withdraw the standing orders of a seat that moves no more for itself, or of all seats (`store.orders`).

    Who sits down on a seat that was opened finds nothing there.
    """
    game, events = change.game, change.commit.events
    if game.status == FINISHED:
        return withdrawn(game.id, range(len(game.table.seats)))
    if not change.kinds & _ORDERS_END:
        return []
    no_more = [event.seat for event in events if isinstance(event, SeatGivenToBot | SeatResigned)]
    opened = [event.seat for event in events if isinstance(event, SeatOpened)]
    return [*withdrawn(game.id, no_more), *forgotten(game.id, opened)]


PROJECTIONS: tuple[Callable[[Change], list[Command]], ...] = (
    feeds,
    lists,
    inbox,
    alarms,
    statistics,
    bot_seats,
    orders,
)
"""Everything that an append writes beside the log; its outbox and what is due are written by its script itself."""


def _names(change: Change) -> list[str]:
    """Return the lists that a game stands in, besides its players'."""
    game = change.game
    if game.status == RUNNING:
        return [RUNNING, "substitute"] if game.table.free_seats else [RUNNING]
    return [game.status] if game.status in (OPEN, FINISHED) else []


def _late(change: Change) -> list[str]:
    """Return the players whose time has run out."""
    if SeatTimedOut not in change.kinds:
        return []
    opened = {event.seat: event.player for event in change.commit.events if isinstance(event, SeatOpened)}
    late = [event.seat for event in change.commit.events if isinstance(event, SeatTimedOut)]
    players = (opened.get(seat, change.game.table.seats[seat].player) for seat in late)
    return [player for player in players if player is not None]
