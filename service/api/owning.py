"""Owning: lets the owner of a game change its seats, or make another player the owner."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import PLAY
from ..play import owning
from ..schemas.games import BotSeatSchema, GameSchema
from ..schemas.tables import FreeSeatSchema, HandingOverSchema
from ..tables import owners
from .answers import ETAG, game_answer
from .callers import caller
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource(
    "Owning", __name__, url_prefix="/v1/games", description="Change the seats and the owner of your game."
)

_OF_SEATS = ("not-the-owner", "game-started", "game-cancelled", "seat-taken")


@blueprint.post("/<game_id>/close-seat", scope=PLAY, problems=(*_OF_SEATS, "wrong-seats"))
@blueprint.doc(operationId="closeSeat")
@blueprint.arguments(FreeSeatSchema, example=REQUESTS["closeSeat"])
@blueprint.response(200, GameSchema, example=ANSWERS["closeSeat"], headers=ETAG)
def close_seat(body: dict[str, Any], game_id: str) -> Response:
    """Remove a free seat from a game that you own and that has not started.

    The numbers of all later seats decrease by one. With `start: auto`, the game starts if this was the last free seat.
    """
    player = caller().id
    game, replayed = owning.close_seat(games(), game_id, player, body["seat"], attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post("/<game_id>/seat-bot", scope=PLAY, problems=_OF_SEATS)
@blueprint.doc(operationId="seatBot")
@blueprint.arguments(BotSeatSchema, example=REQUESTS["seatBot"])
@blueprint.response(200, GameSchema, example=ANSWERS["seatBot"], headers=ETAG)
def seat_bot(body: dict[str, Any], game_id: str) -> Response:
    """Give a free seat to a bot, in a game that you own and that has not started.

    With `start: auto`, the game starts if this was the last free seat.
    """
    player = caller().id
    game, replayed = owning.seat_bot(games(), game_id, player, body["seat"], body["bot"], attempt())
    return game_answer(game, player, replayed=replayed)


@blueprint.post(
    "/<game_id>/hand-over",
    scope=PLAY,
    problems=("not-the-owner", "game-cancelled", "game-over", "player-not-seated", "names-hidden"),
)
@blueprint.doc(operationId="handOver")
@blueprint.arguments(HandingOverSchema, example=REQUESTS["handOver"])
@blueprint.response(200, GameSchema, example=ANSWERS["handOver"], headers=ETAG)
def hand_over(body: dict[str, Any], game_id: str) -> Response:
    """Make another player in your game its owner.

    Name the player or the player's seat. If you have a seat, you keep it.
    """
    player = caller().id
    game, replayed = owners.hand_over(games(), game_id, player, body.get("player"), body.get("seat"), attempt())
    return game_answer(game, player, replayed=replayed)
