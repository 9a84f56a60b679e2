"""Moves: the operation that makes a move in a running game."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import PLAY
from ..games.repository import new_key
from ..play import moves
from ..schemas.foresight import DryRunSchema
from ..schemas.games import GameSchema
from ..schemas.moves import MoveSchema
from ..schemas.queries import MoveQuerySchema
from ..views.foresight import show_foresight
from ..views.names import name_game
from .answers import ETAG, answer, game_answer
from .callers import caller_and_log
from .codes import RULES
from .conditions import idempotency_key, seen_versions
from .context import games
from .examples import ANSWERS, DRY_RUN, REQUESTS
from .parameters import IDEMPOTENCY_KEY, IF_MATCH
from .resource import Resource

blueprint = Resource("Moves", __name__, url_prefix="/v1/games", description="Make a move in a running game.")


@blueprint.post(
    "/<game_id>/moves",
    scope=PLAY,
    headers=[IF_MATCH],
    own_key=IDEMPOTENCY_KEY,
    problems=(
        *RULES,
        "not-seated",
        "not-your-seat",
        "game-not-started",
        "game-cancelled",
        "game-paused",
        "seat-with-bot",
        "version-required",
        "stale-version",
    ),
)
@blueprint.doc(operationId="makeMove")
@blueprint.arguments(MoveQuerySchema, location="query")
@blueprint.arguments(MoveSchema(), example=REQUESTS["makeMove"])
@blueprint.alt_response(
    200,
    schema=DryRunSchema,
    example=DRY_RUN,
    description="The effects that the move is certain to have. You get this response only with `dry_run=true`.",
)
@blueprint.response(201, GameSchema, headers=ETAG, example=ANSWERS["makeMove"])
def make_move(query: dict[str, Any], record: dict[str, Any], game_id: str) -> Response:
    """Make a move.

    Post one of the `moves` listed in the game. The response shows the game as it is after your move and all effects of
    the move. If you repeat the request with the same Idempotency-Key, you get the first response again.

    With `dry_run=true`, the server does not make the move, and stores nothing. If the server would refuse the move, you
    get the error response that the move itself would get. If the server would accept the move, you get 200 with the
    events that are certain, and the game after these events. The events stop before a draw, and before anything that
    depends on cards that you do not see.
    """
    player, ahead = caller_and_log(game_id)
    key = idempotency_key() or new_key()
    move = moves.Move(record, seen_versions(), key)
    if query["dry_run"] == "true":
        foreseen = show_foresight(*moves.foresee_move(games(), game_id, player.id, move, ahead), player.id)
        return answer({**foreseen, "game": name_game(games(), foreseen["game"])})
    game, replayed = moves.move(games(), game_id, player.id, move, ahead)
    return game_answer(game, player.id, 201, replayed=replayed)
