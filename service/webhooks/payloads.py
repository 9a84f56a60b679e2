"""Payloads: what a delivery says. A function of the log and the delivery, so that every try says the same."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from ..games.game import Game
from ..store.webhooks import Webhook
from ..views.game import show_commits, show_game
from .kinds import LEAVES, PING, TURN_EXPIRED, TURN_REJECTED, TURN_REMINDER, TURN_STARTED

THIN, FULL = "thin", "full"

Json = dict[str, Any]


def payload(webhook: Webhook, delivery: Mapping[str, Any], game: Game | None) -> bytes:
    """Return the body of a delivery; `game` is the game as it was then, None for what concerns none."""
    body = {
        "type": delivery["type"],
        "timestamp": _iso(delivery["at"]),
        "data": _data(webhook, delivery, game),
    }
    return orjson.dumps(body)


def _data(webhook: Webhook, delivery: Mapping[str, Any], game: Game | None) -> Json:
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
    if kind == TURN_REJECTED:
        data["problem"] = delivery["problem"]
    if kind in (TURN_STARTED, TURN_REMINDER):
        data["deadline"] = _deadline(game)
    if kind == TURN_REMINDER:
        data["left"] = _happened(game, "seat-reminded")["left"]
    if kind == TURN_EXPIRED:
        data["misses"] = _happened(game, "seat-timed-out")["misses"]
    return data | (_in_full(webhook, delivery, game) if webhook.payload == FULL else {})


def _seat(game: Game, player: str) -> int | None:
    """Return the seat that a player has after the last commit, or has left with it."""
    seat = game.table.seat_of(player)
    left = (r["seat"] for r in game.commits[-1]["events"] if r["type"] in LEAVES and r["player"] == player)
    return next(left, None) if seat is None else seat


def _deadline(game: Game) -> int | None:
    """Return when the time of the turn is over that waits (ms since the epoch), None without a clock."""
    turn = game.table.clock.turn if game.table.clock else None
    return None if turn is None else turn.deadline


def _happened(game: Game, kind: str) -> Json:
    """Return the record of a type in the last commit."""
    return next(record for record in game.commits[-1]["events"] if record["type"] == kind)


def _in_full(webhook: Webhook, delivery: Mapping[str, Any], game: Game) -> Json:
    view = show_game(game, webhook.player)
    if delivery["type"] in (TURN_STARTED, TURN_REJECTED):
        moves = [{"number": number, "move": move} for number, move in enumerate(view["moves"])]
        return {"view": view, "moves": moves}
    return {"view": view, "commit": show_commits(game, delivery["version"] - 1, webhook.player)[0]}


def _iso(at: int) -> str:
    """Return a time (ms since the epoch) as RFC 3339 has it."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
