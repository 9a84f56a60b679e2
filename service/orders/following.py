"""Following orders: the worker makes the move that they say, when the game waits for their seat."""

from __future__ import annotations

from engine import command_to_record, view_for

from ..games.game import StartedGame
from ..games.repository import ByOrders, Games
from ..play.moves import move_by_orders
from ..store.orders import written
from ..timekeeping.deadlines import current
from .decisions import answer
from .storing import kept_of, noted, read, settled, write
from .values import Entry


def follow(games: Games, game_id: str) -> bool:
    """Let the seat that a game waits for move by its standing orders; False where it is not for them to move.

    Where they say nothing, nothing is due in this game until it goes on or they change.
    """
    game = current(games, game_id)
    player, seat = game.player_to_act(), game.asked
    if player is None or seat is None or not isinstance(game, StartedGame):
        return False
    kept = games.store.orders.read(game_id, seat)
    standing = settled(game, read(game, seat, kept))
    found = answer(standing.orders, view_for(game.state, seat))
    if found is None:
        write(games, game, kept, standing, act=False)
        return False
    moved: Entry = {"version": game.version + 1, "order": found.order, "happened": "moved"}
    moved["move"] = command_to_record(found.command)
    after = noted(standing, found.left, moved)
    by_orders = ByOrders(seat, kept.orders, written(game_id, seat, kept_of(after)))
    return move_by_orders(games, game, player, found.command, by_orders)
