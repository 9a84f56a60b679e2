"""Storing: functions that read, update and write standing orders.

An update removes all orders if an event in the log has withdrawn them, and removes a battle order if its premise has
failed. For each removal, the update adds an entry to the history.
"""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from engine import view_for
from engine.events import SeatResigned

from ..clocks.events import SeatGivenToBot
from ..games.game import Game, StartedGame
from ..games.repository import Games
from ..store.orders import StoredOrders
from .decisions import settle
from .values import Entry, Orders, Standing, from_record, to_record

HISTORY = 50
"""The maximum number of history entries that are kept for a seat's orders."""

_SEAT_WITH_BOT, _RESIGNED, _GAME_OVER = WITHDRAWN = ("seat-with-bot", "resigned", "game-over")
"""The reasons why an event in the log withdraws all of a seat's orders."""
_BY_EVENT: Mapping[type, str] = {SeatGivenToBot: _SEAT_WITH_BOT, SeatResigned: _RESIGNED}
"""The reason for each type of event that withdraws orders."""


def read(game: Game, seat: int, stored: StoredOrders) -> Standing:
    """Return the orders of a seat exactly as they were stored."""
    if not stored.history:
        return Standing(seat, 0, Orders(), [], game.version)
    history = orjson.loads(stored.history)
    standing = Standing(
        seat, history["version"], Orders(), history["entries"], history["since"], keys=history.get("keys", [])
    )
    if not stored.orders:
        return standing._replace(withdrawn=history["stands"])
    record = orjson.loads(stored.orders)
    given_in = record["given_in"]
    return standing._replace(orders=from_record(record, seat, given_in and (given_in[0], given_in[1])))


def refresh(game: Game, standing: Standing) -> Standing:
    """Return a seat's orders after an update, which moves orders to the history if they can no longer be followed."""
    if standing.withdrawn:
        version, reason = _withdrawal(game, standing)
        entry: Entry = {"version": version, "order": None, "happened": "cancelled", "reason": reason}
        return with_history(standing, Orders(), entry)
    if standing.orders.battle is None or not isinstance(game, StartedGame):
        return standing
    remaining, cancellation = settle(standing.orders, view_for(game.state, standing.seat))
    if remaining == standing.orders:
        return standing
    entries = (
        [] if cancellation is None else [{"version": game.version, "happened": "cancelled", **cancellation._asdict()}]
    )
    return with_history(standing, remaining, *entries)._replace(since=game.version)


def with_history(standing: Standing, remaining: Orders, *entries: Entry) -> Standing:
    """Return a seat's orders after a change: the `remaining` orders, and the history with new entries.

    Each entry has a `version`.
    """
    since = max([standing.since, *(entry["version"] for entry in entries)])
    history = [*standing.history, *entries][-HISTORY:]
    return Standing(standing.seat, standing.version + 1, remaining, history, since, keys=standing.keys)


def to_stored(standing: Standing) -> StoredOrders:
    """Return a seat's orders in their stored form, which is empty for a seat that has never had orders."""
    if not standing.version:
        return StoredOrders()
    version, orders = standing.version, standing.orders
    stands = orders != Orders()
    text = {"version": version, **to_record(orders), "given_in": orders.given_in}
    history = {"version": version, "stands": stands, "since": standing.since, "entries": standing.history}
    if standing.keys:
        history["keys"] = standing.keys
    return StoredOrders(orjson.dumps(text) if stands else b"", orjson.dumps(history))


def write(games: Games, game: Game, stored: StoredOrders, standing: Standing, *, act: bool | None) -> int | None:
    """Store a seat's orders, and return the time at which they were stored (ms since the epoch).

    If the orders or the log have changed, store nothing and return None. `act` says whether the server must now make a
    move that the orders prescribe, or is None if the game is not waiting for the seat.
    """
    return games.store.orders.change(game.id, standing.seat, game.version, stored, to_stored(standing), act)


def _withdrawal(game: Game, standing: Standing) -> tuple[int, str]:
    """Return the version at which an event withdrew a seat's orders, and the reason for the withdrawal."""
    for commit in game.since(standing.since):
        for event in commit.events:
            if isinstance(event, SeatGivenToBot | SeatResigned) and event.seat == standing.seat:
                return commit.seq, _BY_EVENT[type(event)]
    return game.version, _GAME_OVER
