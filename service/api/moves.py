"""Moves: how a player acts in a running game."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import PLAY
from ..games.repository import new_key
from ..play import moves
from ..schemas.games import GameSchema
from ..schemas.moves import MoveSchema
from .answers import ETAG, game_answer
from .callers import caller_and_log
from .conditions import idempotency_key, seen_version
from .context import games
from .examples import ANSWERS, REQUESTS
from .parameters import IDEMPOTENCY_KEY, IF_MATCH
from .resource import Resource

blueprint = Resource("Moves", __name__, url_prefix="/v1/games", description="Make a move in a running game.")


@blueprint.post("/<game_id>/moves", scope=PLAY, headers=[IF_MATCH], own_key=IDEMPOTENCY_KEY)
@blueprint.doc(operationId="makeMove")
@blueprint.arguments(MoveSchema(), example=REQUESTS["makeMove"])
@blueprint.response(201, GameSchema, headers=ETAG, example=ANSWERS["makeMove"])
def make_move(record: dict[str, Any], game_id: str) -> Response:
    """Make a move.

    Post one of the `moves` listed in the game. The answer is the game after your move and everything that follows from
    it by the rules. If you repeat the request with the same Idempotency-Key, you get the first answer again.
    """
    player, ahead = caller_and_log(game_id)
    key = idempotency_key() or new_key()
    move = moves.Move(record, seen_version(), key)
    game, replayed = moves.move(games(), game_id, player.id, move, ahead)
    return game_answer(game, player.id, 201, replayed=replayed)
