"""Events: what happened in a game since a version, waiting for it where nothing has."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..games import load
from ..schemas.events import EventsQuerySchema, EventsSchema
from ..showing import show_commits
from ..table import CANCELLED, FINISHED
from .examples import ANSWERS
from .http import TOKEN_OR_NOT, Resource, answer, caller_or_nobody, games

blueprint = Resource("Events", __name__, url_prefix="/v1/games", description="What happened in a game.")


@blueprint.get("/<game_id>/events")
@blueprint.doc(operationId="getEvents", security=TOKEN_OR_NOT)
@blueprint.arguments(EventsQuerySchema, location="query")
@blueprint.response(200, EventsSchema, example=ANSWERS["getEvents"])
def get_events(asked: dict[str, Any], game_id: str) -> Response:
    """Get what happened since a version, as the caller may know it.

    With `wait` the answer comes as soon as something happens, or empty when that many seconds are over. A game that
    is over is not waited for.
    """
    player = caller_or_nobody()
    after, wait = asked["after"], asked["wait"]
    game = load(games(), game_id)
    over = game.status in (FINISHED, CANCELLED)
    if not over and game.version <= after and wait and games().store.wakes.wait(game_id, after, wait):
        game = load(games(), game_id)
    seat = game.table.seat_of(player.id) if player else None
    return answer({"commits": show_commits(game.commits[after:], seat), "next": max(after, game.version)})
