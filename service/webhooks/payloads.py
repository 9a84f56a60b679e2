"""Payloads: computes the body of a delivery from the log, the stored delivery, and the players' names.

Every try therefore sends the same body. The only exception is a player's name: if it changes, later tries show the new
name.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

import orjson

from ..clocks.events import SeatReminded, SeatTimedOut
from ..games.commits import Commit
from ..games.game import Game
from ..store.webhooks import Webhook
from ..views.events import show_commits
from ..views.game import show_game
from ..views.invitations import show_invited
from ..views.names import NamesOf, add_to_commits, add_to_game
from . import talk
from .kinds import (
    ABOUT_INVITATIONS,
    DEPARTURES,
    MESSAGE_RECEIVED,
    PING,
    TURN_EXPIRED,
    TURN_REJECTED,
    TURN_REMINDER,
    TURN_STARTED,
)

THIN, FULL = "thin", "full"

Json = dict[str, Any]
E = TypeVar("E")


def payload(
    webhook: Webhook, delivery: Mapping[str, Any], game: Game | None, names_of: NamesOf, message: Json | None = None
) -> bytes:
    """Return the body of a delivery.

    `game` is the game at the delivery's version, or None for a ping or a `message`.
    """
    body = {
        "type": delivery["type"],
        "timestamp": _iso(delivery["at"]),
        "data": _data(webhook, delivery, game, names_of)
        if message is None
        else _talk(webhook, delivery, message, names_of),
    }
    return orjson.dumps(body)


def _talk(webhook: Webhook, delivery: Mapping[str, Any], message: Json, names_of: NamesOf) -> Json:
    assert delivery["type"] == MESSAGE_RECEIVED
    author = message["by"]
    return talk.data(webhook, delivery, message, names_of({author})[author], full=webhook.payload == FULL)


def _data(webhook: Webhook, delivery: Mapping[str, Any], game: Game | None, names_of: NamesOf) -> Json:
    if game is None:
        assert delivery["type"] == PING
        return {"webhook": webhook.id, "challenge": delivery["challenge"]}
    data: Json = {
        "webhook": webhook.id,
        "game": game.id,
        "version": delivery["version"],
        "sequence": delivery["sequence"],
        "seat": _seat(game, webhook.player),
        "url": f"/v1/games/{game.id}",
    }
    kind = delivery["type"]
    if kind in ABOUT_INVITATIONS:
        invitation = delivery["invitation"]
        data["invitation"] = show_invited(invitation, names_of([invitation["player"], invitation["by"]]))
    if kind == TURN_REJECTED:
        data["problem"] = delivery["problem"]
    if kind in (TURN_STARTED, TURN_REMINDER):
        data["deadline"] = _deadline(game)
    if kind == TURN_REMINDER:
        data["left"] = time_left(game)
    if kind == TURN_EXPIRED:
        data["misses"] = _last(game, SeatTimedOut).misses
    return data | (_full_members(webhook, delivery, game, names_of) if webhook.payload == FULL else {})


def time_left(game: Game) -> int:
    """Return the percentage of the player's time that is left, according to the reminder in the last commit."""
    return _last(game, SeatReminded).left


def _seat(game: Game, player: str) -> int | None:
    """Return the player's seat after the last commit, or the seat that the player left in that commit."""
    seat = game.table.seat_of(player)
    events = _last_commit(game).events
    departures = (event.seat for event in events if isinstance(event, DEPARTURES) and event.player == player)
    return next(departures, None) if seat is None else seat


def _deadline(game: Game) -> int | None:
    """Return the deadline of the current turn (ms since the epoch), or None if there is no clock."""
    turn = game.table.clock.turn if game.table.clock else None
    return None if turn is None else turn.deadline


def _last_commit(game: Game) -> Commit:
    (commit,) = game.since(game.version - 1)
    return commit


def _last(game: Game, kind: type[E]) -> E:
    """Return the event of the given type in the last commit."""
    return next(event for event in _last_commit(game).events if isinstance(event, kind))


def _full_members(webhook: Webhook, delivery: Mapping[str, Any], game: Game, names_of: NamesOf) -> Json:
    view = add_to_game(show_game(game, webhook.player), names_of)
    if delivery["type"] in ABOUT_INVITATIONS:
        return {"view": view}
    if delivery["type"] in (TURN_STARTED, TURN_REJECTED):
        moves = [{"number": number, "move": move} for number, move in enumerate(view["moves"])]
        return {"view": view, "moves": moves}
    commits = add_to_commits(show_commits(game, delivery["version"] - 1, webhook.player), names_of)
    return {"view": view, "commit": commits[0]}


def _iso(at: int) -> str:
    """Return a time (ms since the epoch) in RFC 3339 format."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
