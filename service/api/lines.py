"""Lines: lets anybody try other moves in a finished game."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import READ
from ..schemas.lines import AskedLineSchema, PlayedLineSchema
from ..views.lines import Line, play_line
from .answers import answer
from .callers import caller_or_nobody_and_log
from .codes import RULES
from .context import games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource("Lines", __name__, url_prefix="/v1/games", description="Try other moves in a finished game.")


@blueprint.post(
    "/<game_id>/lines",
    scope=READ,
    token_optional=True,
    keyless=True,
    problems=(*RULES, "game-not-over", "game-not-started", "game-cancelled", "unknown-version"),
)
@blueprint.doc(operationId="playLine")
@blueprint.arguments(AskedLineSchema, example=REQUESTS["playLine"])
@blueprint.response(200, PlayedLineSchema, example=ANSWERS["playLine"])
def try_line(body: dict[str, Any], game_id: str) -> Response:
    """Try a sequence of moves from any version of a finished game.

    The response shows the effects of the moves, with all cards visible. Draws use the seed that you send, and are
    numbered as in the game. The server does not store the moves. If the rules forbid a move, the error response
    contains the `index` of that move.
    """
    _, ahead = caller_or_nobody_and_log(game_id)
    line = Line(body["version"], bytes.fromhex(body["seed"]), body["moves"])
    return answer(play_line(games(), game_id, line, ahead))
