"""Records: the record of a game, as one document that anybody can keep and check without the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from flask import Response

from ..accounts.access import READ
from ..games.game import Game
from ..records.document import RECORD, as_json, as_lines, names_in
from ..schemas.queries import RecordQuerySchema
from ..schemas.records import GameRecordSchema, json_schema
from ..timekeeping.deadlines import current
from ..views.names import tag_of_names
from .answers import ETAG, public_answer, public_body
from .callers import caller_or_nobody_and_log
from .conditions import make_conditional
from .context import games
from .examples import ANSWERS
from .parameters import IF_NONE_MATCH
from .resource import Resource, declare_scope
from .streams import JSON, LINES, preferred_media_type

blueprint = Resource(
    "Records",
    __name__,
    url_prefix="/v1",
    description="Get the record of a game, which you can check without the server.",
)

SCHEMA_PATH = "/v1/schemas/record.json"
"""The URL path of the JSON Schema of records."""
_ENDS = {JSON: "json", LINES: "ndjson"}
"""The file name extension for each media type."""
_FOR_ALL = "public, max-age=31536000, immutable"
_FOR_ONE = "private, no-cache"
_LINES_EXAMPLE = "\n".join(
    (
        '{"record":1,"game":"17h8q2v5c0mzk4r9td","...":"..."}',
        '{"seq":1,"at":1795000060000,"by":"p07k3v9xq2mza","revision":1,"events":[]}\n',
    )
)
_AS_LINES = {
    200: {
        "content": {
            LINES: {
                "schema": {
                    "type": "string",
                    "description": "The first line has all members except `commits`. Each later line is a commit.",
                },
                "example": _LINES_EXAMPLE,
            }
        }
    }
}
_HEADERS = {
    **ETAG,
    "Content-Disposition": {"description": "A suggested file name.", "schema": {"type": "string"}},
    "Cache-Control": {
        "description": "The caching rules. Once a game is over, a record without names is `immutable`, because only "
        "names can still change.",
        "schema": {"type": "string"},
    },
}


@blueprint.get(
    "/games/<game_id>/record", scope=READ, token_optional=True, headers=[IF_NONE_MATCH], problems=("not-acceptable",)
)
@blueprint.doc(operationId="getRecord", responses=_AS_LINES)
@blueprint.arguments(RecordQuerySchema, location="query")
@blueprint.response(200, GameRecordSchema, example=ANSWERS["getRecord"], headers=_HEADERS)
@blueprint.alt_response(304, description="The record has not changed since the response that had this ETag.")
def get_record(query: dict[str, Any], game_id: str) -> Response:
    """Get a game's record.

    Once a game has ended, its record is the same for everybody. The record of a finished game contains all commits as
    the server stores them, with their hashes. Until the game ends, the record contains only what you may see, without
    hashes. With `Accept: application/x-ndjson`, each commit is on a separate line.
    """
    media_type = preferred_media_type(JSON, LINES)
    player, ahead = caller_or_nobody_and_log(game_id)
    game = current(games(), game_id, ahead)
    seat = None if player is None or game.revealed else game.table.seat_of(player.id)
    reader = None if player is None or seat is None else player.id
    names = names_in(games(), game, reader) if query["names"] == "true" else None
    response = make_conditional(Response(mimetype=media_type, headers=_headers(game, seat, media_type, names)))
    if response.status_code != 304:
        record = as_json(game, reader, names) if media_type == JSON else b"".join(as_lines(game, reader, names))
        response.set_data(record)
    return response


def schema_view(description: Mapping[str, Any]) -> Callable[[], Response]:
    """Return the view that serves the JSON Schema of records, given the OpenAPI document."""
    view = partial(public_answer, public_body(json_schema(description)))
    declare_scope(view, None)
    return view


def _headers(game: Game, seat: int | None, media_type: str, names: dict[str, str | None] | None) -> dict[str, str]:
    """Return the headers of a record. `seat` is the seat that the record is for, or None for a spectator."""
    end = _ENDS[media_type]
    shown_to = "open" if game.revealed else "all" if seat is None else str(seat)
    parts = [str(game.version), shown_to, f"r{RECORD}", end, *([] if names is None else [tag_of_names(names)])]
    return {
        "ETag": f'"{".".join(parts)}"',
        "Cache-Control": _FOR_ALL if game.revealed and names is None else _FOR_ONE,
        "Vary": "Accept" if game.revealed else "Accept, Authorization",
        "Content-Disposition": f'attachment; filename="{game.id}.record.{end}"',
    }
