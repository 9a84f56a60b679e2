"""Projections: the rows that an append writes besides the log, to keep lists, feeds and statistics up to date.

Each function returns the commands that record a change in one index. The function's docstring names the module of
`store` that describes the key and the rows of this index. The `rebuild` package can rebuild all indexes from the logs.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.events import GameStarted, SeatResigned

from ..clocks.events import SeatGivenToBot, SeatOpened, SeatSubstituted, SeatTakenBack, SeatTimedOut
from ..store.alarms import set_alarm
from ..store.bot_seats import forget_bot_seat, note_bot_seat
from ..store.current import value_of, write_current
from ..store.feeds import append_to_feeds
from ..store.keys import PRIVATE, is_private
from ..store.lists import Listing, write_listing, write_progress
from ..store.orders import forget_orders, withdraw_orders
from ..store.statistics import count_move, count_timeout
from ..store.transport import Command
from ..store.turns import write_turn
from .changes import Change
from .events import ENDS_TURN, NAMES_HIDDEN, TableHandedOver
from .hiding import hides_names
from .list_entries import show_progress, show_summary, show_turn
from .table import FINISHED, OPEN, OVER, RUNNING

_SEATING = frozenset({GameStarted, SeatGivenToBot, SeatTakenBack, SeatOpened, SeatSubstituted, TableHandedOver})
"""Events that change how a running game appears in lists."""
_LEAVING = _SEATING | {SeatResigned}
"""Events that change which players are at the table of a running game."""
_ORDERS_END = frozenset({SeatGivenToBot, SeatResigned, SeatOpened})
"""Events after which a seat's player no longer makes the seat's moves."""


def feeds(change: Change) -> list[Command]:
    """Add the commit to the feeds of all its recipients (`store.feeds`)."""
    return append_to_feeds(change.game.id, change.commit.seq, change.recipients)


def lists(change: Change) -> list[Command]:
    """Record the game's list entry, if the change affects the entry (`store.lists`)."""
    game = change.game
    if game.status == RUNNING and not _SEATING & change.kinds:
        return []
    hidden = hides_names(game) if game.table.names == NAMES_HIDDEN else None
    at, participants, leavers = change.commit.at, change.participants, change.leavers
    return write_listing(game.id, Listing(_names(change), show_summary(game), at, participants, leavers, hidden))


def progress(change: Change) -> list[Command]:
    """Record the game's progress, for lists (`store.lists`)."""
    return [write_progress(change.game.id, show_progress(change.game))]


def current(change: Change) -> list[Command]:
    """Update the list of each player's open and running games, if the change affects the list (`store.current`).

    A player who has resigned counts as having left, unless the player owns the game.
    """
    game = change.game
    if game.status == RUNNING and not _LEAVING & change.kinds:
        return []
    owner, values = game.table.opened.owner, dict[str, str]()
    if game.status in (OPEN, RUNNING):
        gone = 0 if game.state is None else game.state.gone
        seated = (seat.player for number, seat in enumerate(game.table.seats) if not gone >> number & 1)
        values = {player: value_of(game.status, owned=player == owner) for player in (owner, *seated) if player}
    return write_current(game.id, values, [player for player in change.recipients if player not in values])


def inbox(change: Change) -> list[Command]:
    """Record which player the game is waiting for (`store.turns`)."""
    game = change.game
    if game.state is None or not ((ENDS_TURN | _SEATING) & change.kinds or game.table.clock is not None):
        return []
    return write_turn(game.id, change.recipients, game.player_to_act(), show_turn(game, game.state))


def alarms(change: Change) -> list[Command]:
    """Record when the timekeeper must next check the game (`store.alarms`)."""
    game, clock = change.game, change.game.table.clock
    if clock is None:
        return []
    return [set_alarm(game.id, clock.next_look(change.commit.at) if game.seat_to_act is not None else None)]


def statistics(change: Change) -> list[Command]:
    """Count a player's move, and each timeout (`store.statistics`).

    Everybody can see a player's statistics, so private games and games with hidden names are not counted.
    """
    game_id, commit = change.game.id, change.commit
    if is_private(game_id) or change.game.table.names == NAMES_HIDDEN:
        return []
    counts = [] if change.thinking_time is None else count_move(game_id, commit.by, change.thinking_time)
    return [*counts, *(write for player in _players_out_of_time(change) for write in count_timeout(game_id, player))]


def bot_seats(change: Change) -> list[Command]:
    """Record which seats were given to bots, and remove the records of seats that their players can no longer take back
    (`store.bot_seats`).

    Every commit records all seats that have been given to bots, because a seat may have been given to a bot before this
    index existed.
    """
    game = change.game
    if game.state is None:
        return []
    returned = [event.player for event in change.commit.events if isinstance(event, SeatTakenBack | SeatOpened)]
    writes = [forget_bot_seat(game.id, player) for player in returned]
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
    """Withdraw the standing orders of seats whose players no longer make their own moves (`store.orders`).

    When the game ends, the orders of all seats are withdrawn. When a seat is opened, the history of its orders is
    removed as well, so that the next player does not see these orders.
    """
    game, events = change.game, change.commit.events
    if game.status in OVER and game.state is not None:
        return withdraw_orders(game.id, range(len(game.table.seats)))
    if not change.kinds & _ORDERS_END:
        return []
    withdrawing = [event.seat for event in events if isinstance(event, SeatGivenToBot | SeatResigned)]
    opened = [event.seat for event in events if isinstance(event, SeatOpened)]
    return [*withdraw_orders(game.id, withdrawing), *forget_orders(game.id, opened)]


PROJECTIONS: tuple[Callable[[Change], list[Command]], ...] = (
    feeds,
    lists,
    progress,
    current,
    inbox,
    alarms,
    statistics,
    bot_seats,
    orders,
)
"""The functions that return what an append writes in addition to the log. Only the outbox and the `due` index are
missing here, because the append script itself writes them."""


def _names(change: Change) -> list[str]:
    """Return the names of the lists that contain a game, except its players' own lists."""
    game = change.game
    if game.status not in (OPEN, RUNNING, FINISHED):
        return []
    if is_private(game.id):
        return [f"{PRIVATE}-{game.status}"]
    return [RUNNING, "substitute"] if game.status == RUNNING and game.table.free_seats else [game.status]


def _players_out_of_time(change: Change) -> list[str]:
    """Return the players whose time ran out in a change."""
    if SeatTimedOut not in change.kinds:
        return []
    opened = {event.seat: event.player for event in change.commit.events if isinstance(event, SeatOpened)}
    expired = [event.seat for event in change.commit.events if isinstance(event, SeatTimedOut)]
    players = (opened.get(seat, change.game.table.seats[seat].player) for seat in expired)
    return [player for player in players if player is not None]
