"""The inbox: the games that wait for whoever asks."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..schemas.queries import TurnsQuerySchema
from ..schemas.turns import TurnsSchema
from ..views import inbox
from .answers import answer
from .callers import caller, caller_check, patience
from .conditions import make_conditional
from .context import games
from .examples import ANSWERS
from .parameters import IF_NONE_MATCH
from .resource import Resource

blueprint = Resource("Inbox", __name__, url_prefix="/v1", description="The games that wait for you.")

ETAG = {
    "ETag": {
        "description": "Stands for just these turns, as `next` does; strong.",
        "schema": {"type": "string"},
        "example": f'"{ANSWERS["getMyTurns"]["next"]}"',
    }
}


@blueprint.get("/me/turns", headers=[IF_NONE_MATCH])
@blueprint.doc(operationId="getMyTurns")
@blueprint.arguments(TurnsQuerySchema, location="query")
@blueprint.response(200, TurnsSchema, example=ANSWERS["getMyTurns"], headers=ETAG)
@blueprint.alt_response(304, description="They are still the turns that If-None-Match stands for.")
def get_my_turns(query: dict[str, Any]) -> Response:
    """Get every game that waits for you, the most urgent first.

    By deadline; then those without one, by how long they wait. With `after` and `wait` the answer comes as soon as
    anything in it has changed, in whichever game, or as it was when that many seconds are over.
    """
    found = inbox.wait_for_inbox(games(), caller().id, query.get("after"), patience(query["wait"]), caller_check())
    shown = {"turns": found.turns, "next": found.cursor}
    return make_conditional(answer(shown, headers={"ETag": f'"{found.cursor}"'}))
