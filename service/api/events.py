"""Events: what happened in a game since a version, waiting for it where nothing has."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..looking import look_after
from ..schemas.events import EventsSchema
from ..schemas.queries import EventsQuerySchema
from ..showing import show_commits
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
    after = asked["after"]
    game = look_after(games(), game_id, after, asked["wait"])
    commits = show_commits(game, after, player.id if player else None)
    return answer({"commits": commits, "next": max(after, game.version)})
