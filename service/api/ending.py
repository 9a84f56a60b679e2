"""Ending by consent: lets the players agree to end a game that they do not want to finish."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import PLAY
from ..play import ending
from ..schemas.ending import EndChoiceSchema
from ..schemas.games import GameSchema
from .answers import ETAG, game_answer
from .callers import caller
from .codes import NOT_RUNNING
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource("Ending", __name__, url_prefix="/v1/games", description="Agree to end a game.")


@blueprint.post(
    "/<game_id>/end",
    scope=PLAY,
    problems=("not-seated", *NOT_RUNNING, "already-resigned", "seat-with-bot", "nobody-to-agree"),
)
@blueprint.doc(operationId="askToEnd")
@blueprint.arguments(EndChoiceSchema, example=REQUESTS["askToEnd"])
@blueprint.response(200, GameSchema, example=ANSWERS["askToEnd"], headers=ETAG)
def ask_to_end(body: dict[str, Any], game_id: str) -> Response:
    """Ask to end a running game, or agree to end it.

    The game ends once every player has asked for the same outcome during the current battle. With `none`, the game ends
    without a result. With `leaders`, the leading seats win. The game's `ending` shows who has asked, and which seats
    lead. You cannot take back your request, but it expires when the battle ends or somebody resigns. Players who have
    resigned, or whose seats bots are playing, do not have to agree.
    """
    player = caller().id
    game, replayed = ending.ask_to_end(games(), game_id, player, body["outcome"], attempt())
    return game_answer(game, player, replayed=replayed)
