"""Showing: lets players show cards from their hand to other seats."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import PLAY
from ..play import showing
from ..schemas.games import GameSchema
from ..schemas.showing import ShowingSchema
from .answers import ETAG, game_answer
from .callers import caller
from .codes import NOT_RUNNING
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource(
    "Showing", __name__, url_prefix="/v1/games", description="Show cards from your hand to other seats."
)


@blueprint.post(
    "/<game_id>/shown",
    scope=PLAY,
    problems=(
        "not-seated",
        *NOT_RUNNING,
        "already-resigned",
        "seat-with-bot",
        "showing-not-allowed",
        "card-not-in-hand",
        "too-many-showings",
    ),
)
@blueprint.doc(operationId="showCards")
@blueprint.arguments(ShowingSchema, example=REQUESTS["showCards"])
@blueprint.response(201, GameSchema, example=ANSWERS["showCards"], headers=ETAG)
def show_cards(body: dict[str, Any], game_id: str) -> Response:
    """Show cards from your hand to other seats, at any time during the game.

    You keep the cards. The `cards-shown` event tells everybody how many cards you showed, and to whom. Only you and the
    seats in `to` see which cards you showed. The seats in `to` find the cards in the game's `shown`. Showing cards
    increases the game's version, but the server still accepts moves that name the previous version. You can show cards
    up to five times in each battle.
    """
    player = caller().id
    game, replayed = showing.show_cards(games(), game_id, player, body["to"], body["cards"], attempt())
    return game_answer(game, player, 201, replayed=replayed)
