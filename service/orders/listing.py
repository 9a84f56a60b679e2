"""Listing: one player's standing orders in all games."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from ..games.isolation import isolated
from ..games.repository import Games, load
from ..games.table import RUNNING
from ..problems import bad_cursor
from ..store.errors import BadCursor
from ..store.orders import StoredOrders
from .storing import read, refresh
from .values import Orders, Standing, show_orders

PAGE = 100
"""The number of games that are examined for one page."""
Json = dict[str, Any]

_logger = logging.getLogger(__name__)


def page(games: Games, player: str, cursor: str | None) -> tuple[list[Json], str | None]:
    """Return a player's current orders in running games, and the next page's cursor (None after the last page).

    At most `PAGE` games are examined, most recently changed first, so a page may be empty even if there is a next page.
    Takes three round trips, plus one for each game with orders. Raises: Problem (invalid-request), StoreError.
    """
    try:
        summaries, following = games.store.lists.page("mine", player, cursor, PAGE)
    except BadCursor as error:
        raise bad_cursor() from error
    seats = [
        (summary["id"], seat["seat"])
        for summary in summaries
        if summary["status"] == RUNNING
        for seat in summary["seated"]
        if seat["player"] == player
    ]
    stored = zip(seats, games.store.orders.read_all(seats), strict=True)
    current = _load_all(games, [(seat, orders) for seat, orders in stored if orders.orders])
    return [_show(game_id, standing) for game_id, standing in current if _is_active(standing.orders)], following


def history(games: Games, seats: Sequence[tuple[str, int]]) -> list[Json]:
    """Return the orders of `seats`, with their history. Seats that have never had orders are left out.

    `seats` are pairs of a game's id and a seat. Takes one round trip, plus one for each game with orders. Raises:
    StoreError.
    """
    stored = zip(seats, games.store.orders.read_all(seats), strict=True)
    found = _load_all(games, [(seat, orders) for seat, orders in stored if orders.history])
    return [_show(game_id, standing) for game_id, standing in found]


def _load_all(games: Games, found: Sequence[tuple[tuple[str, int], StoredOrders]]) -> list[tuple[str, Standing]]:
    """Return the current orders of these seats. Games whose log cannot be read are left out."""
    current = []
    for (game_id, seat), stored in found:
        with isolated(_logger, game_id, "leaving out the orders of game %s"):
            game = load(games, game_id)
            current.append((game_id, refresh(game, read(game, seat, stored))))
    return current


def _is_active(orders: Orders) -> bool:
    return orders.after_battle is not None or orders.battle is not None


def _show(game_id: str, standing: Standing) -> Json:
    return {"game": game_id, **show_orders(standing)}
