"""Following orders: if the seat to act has standing orders, a worker makes the move that they prescribe."""

from __future__ import annotations

from engine import command_to_record, view_for

from ..games.game import StartedGame
from ..games.repository import ByOrders, Games
from ..play.moves import move_by_orders
from ..store.orders import write_orders
from ..timekeeping.deadlines import current
from .decisions import answer
from .storing import read, refresh, to_stored, with_history, write
from .values import Entry


def follow(games: Games, game_id: str) -> bool:
    """If the seat to act has standing orders, make the move that they prescribe. Return False if there is no such move.

    If no order applies, the worker does not look at the game again until the next commit or a change to the orders.
    """
    game = current(games, game_id)
    player, seat = game.player_to_act(), game.seat_to_act
    if player is None or seat is None or not isinstance(game, StartedGame):
        return False
    stored = games.store.orders.read(game_id, seat)
    standing = refresh(game, read(game, seat, stored))
    move = answer(standing.orders, view_for(game.state, seat))
    if move is None:
        write(games, game, stored, standing, act=False)
        return False
    entry: Entry = {"version": game.version + 1, "order": move.order, "happened": "moved"}
    entry["move"] = command_to_record(move.command)
    after = with_history(standing, move.remaining, entry)
    by_orders = ByOrders(seat, stored.orders, write_orders(game_id, seat, to_stored(after)))
    return move_by_orders(games, game, player, move.command, by_orders)
