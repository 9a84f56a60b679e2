"""What is stored of standing orders: how it is read, what has become of it since, and how it is written.

Orders that the log has withdrawn, and a battle order whose premise has failed, are noted when somebody reads them.
"""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from engine import view_for
from engine.events import SeatResigned

from ..clocks.events import SeatGivenToBot
from ..games.game import Game, StartedGame
from ..games.repository import Games
from ..store.orders import Kept
from .decisions import settle
from .values import Entry, Orders, Standing, from_record, to_record

HISTORY = 50
"""How many entries of what has become of a seat's orders are kept."""

_SEAT_WITH_BOT, _RESIGNED, _GAME_OVER = WITHDRAWN = ("seat-with-bot", "resigned", "game-over")
"""Why the log has withdrawn all orders of a seat."""
_BY_EVENT: Mapping[type, str] = {SeatGivenToBot: _SEAT_WITH_BOT, SeatResigned: _RESIGNED}
"""The same, by the type of the event that says so."""


def read(game: Game, seat: int, kept: Kept) -> Standing:
    """Return the orders of a seat by what is kept of them, as they stood when that was written."""
    if not kept.history:
        return Standing(seat, 0, Orders(), [], game.version)
    told = orjson.loads(kept.history)
    standing = Standing(seat, told["version"], Orders(), told["entries"], told["since"], keys=told.get("keys", []))
    if not kept.orders:
        return standing._replace(lost=told["stands"])
    record = orjson.loads(kept.orders)
    given_in = record["given_in"]
    return standing._replace(orders=from_record(record, seat, given_in and (given_in[0], given_in[1])))


def settled(game: Game, standing: Standing) -> Standing:
    """Return a seat's orders with what has been cancelled by now noted."""
    if standing.lost:
        version, reason = _why_lost(game, standing)
        lost: Entry = {"version": version, "order": None, "happened": "cancelled", "reason": reason}
        return noted(standing, Orders(), lost)
    if standing.orders.battle is None or not isinstance(game, StartedGame):
        return standing
    left, cancelled = settle(standing.orders, view_for(game.state, standing.seat))
    if left == standing.orders:
        return standing
    said = [] if cancelled is None else [{"version": game.version, "happened": "cancelled", **cancelled._asdict()}]
    return noted(standing, left, *said)._replace(since=game.version)


def noted(standing: Standing, left: Orders, *entries: Entry) -> Standing:
    """Return what is kept after something has become of a seat's orders; entries name the game's version."""
    since = max([standing.since, *(entry["version"] for entry in entries)])
    history = [*standing.history, *entries][-HISTORY:]
    return Standing(standing.seat, standing.version + 1, left, history, since, keys=standing.keys)


def kept_of(standing: Standing) -> Kept:
    """Return what is to be kept of a seat's orders; nothing of a seat that has never had any."""
    if not standing.version:
        return Kept()
    version, orders = standing.version, standing.orders
    stands = orders != Orders()
    text = {"version": version, **to_record(orders), "given_in": orders.given_in}
    history = {"version": version, "stands": stands, "since": standing.since, "entries": standing.history}
    if standing.keys:
        history["keys"] = standing.keys
    return Kept(orjson.dumps(text) if stands else b"", orjson.dumps(history))


def write(games: Games, game: Game, kept: Kept, standing: Standing, *, act: bool | None) -> int | None:
    """Write what is kept of a seat, unless it or the log has changed; return when (ms), None where one has.

    `act` tells whether the orders must answer now, and is None where the game does not wait for the seat.
    """
    return games.store.orders.change(game.id, standing.seat, game.version, kept, kept_of(standing), act)


def _why_lost(game: Game, standing: Standing) -> tuple[int, str]:
    """Return the version at which the log has withdrawn a seat's orders, and why."""
    for commit in game.since(standing.since):
        for event in commit.events:
            if isinstance(event, SeatGivenToBot | SeatResigned) and event.seat == standing.seat:
                return commit.seq, _BY_EVENT[type(event)]
    return game.version, _GAME_OVER
