"""The inbox: the games in which it is the caller's turn."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import READ
from ..schemas.queries import InboxQuerySchema
from ..schemas.turns import TurnListSchema
from ..views import inbox
from .answers import answer
from .callers import caller, caller_check, patience
from .codes import WAITS
from .conditions import make_conditional
from .context import games
from .examples import ANSWERS
from .parameters import IF_NONE_MATCH
from .resource import Resource

blueprint = Resource("Inbox", __name__, url_prefix="/v1", description="Get the games in which it is your turn.")

ETAG = {
    "ETag": {
        "description": "A strong entity tag. Like `next`, the tag identifies this list of turns. The tag also covers "
        "the names in the list.",
        "schema": {"type": "string"},
        "example": f'"{ANSWERS["getMyTurns"]["next"]}.5c0ffee5"',
    }
}


@blueprint.get("/me/turns", scope=READ, headers=[IF_NONE_MATCH], problems=WAITS)
@blueprint.doc(operationId="getMyTurns")
@blueprint.arguments(InboxQuerySchema, location="query")
@blueprint.response(200, TurnListSchema, example=ANSWERS["getMyTurns"], headers=ETAG)
@blueprint.alt_response(304, description="Your turns have not changed since the response that had this ETag.")
def get_my_turns(query: dict[str, Any]) -> Response:
    """Get all games in which it is your turn, most urgent first.

    Games with a deadline come first, earliest deadline first. Games without a deadline follow, longest wait first. With
    `after` and `wait`, the server responds as soon as the list changes, or after `wait` seconds at the latest. A
    player's new name does not count as a change.
    """
    current_inbox = inbox.wait_for_inbox(
        games(), caller().id, query.get("after"), patience(query["wait"]), caller_check()
    )
    body = {"turns": current_inbox.turns, "next": current_inbox.cursor}
    # Older clients send `next` as the tag, because earlier tags did not include the names.
    return make_conditional(answer(body, headers={"ETag": f'"{current_inbox.tag}"'}), current_inbox.cursor)
