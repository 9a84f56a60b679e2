"""Hints: moves that a bot recommends to players. In the code, hints are called advice."""

from __future__ import annotations

from flask import Response

from ..accounts.access import PLAY, READ
from ..advice import asking
from ..schemas.advice import HintSchema
from .answers import LOCATION, answer, replay_mark, secret_answer
from .callers import caller, caller_and_log
from .codes import NOT_RUNNING
from .context import attempt, games
from .examples import ANSWERS
from .resource import Resource

blueprint = Resource("Hints", __name__, url_prefix="/v1/games", description="Ask a bot to recommend a move.")


@blueprint.post(
    "/<game_id>/hint",
    scope=PLAY,
    problems=(
        "not-seated",
        *NOT_RUNNING,
        "already-resigned",
        "seat-with-bot",
        "hints-not-allowed",
        "game-paused",
        "not-your-turn",
    ),
)
@blueprint.doc(operationId="askForHint")
@blueprint.response(202, HintSchema, example=ANSWERS["askForHint"], headers=LOCATION)
def ask_for_hint(game_id: str) -> Response:
    """Ask for a hint on your turn.

    The strongest bot chooses a move, using only what your seat can see. The bot needs a moment, so poll the URL in
    `Location` until the hint's `state` is `ready`. Everybody sees that you asked (the `hint-asked` event), but only you
    see the hint. If you ask again in the same position, you get the same hint without another event.
    """
    request = asking.ask(games(), game_id, caller().id, attempt())
    headers = {"Location": f"/v1/games/{game_id}/hint", **replay_mark(request.repeated)}
    return secret_answer(asking.show_hint(game_id, request), 202, headers)


@blueprint.get("/<game_id>/hint", scope=READ, problems=("not-seated", "no-hint"))
@blueprint.doc(operationId="getHint")
@blueprint.response(200, HintSchema, example=ANSWERS["getHint"])
def get_hint(game_id: str) -> Response:
    """Get the hint that you asked for in the current position.

    The server deletes the hint when somebody moves. If the hint's `state` is still `thinking` after a minute, ask
    again.
    """
    player, ahead = caller_and_log(game_id)
    return answer(asking.show_hint(game_id, asking.get(games(), game_id, player.id, ahead)))
