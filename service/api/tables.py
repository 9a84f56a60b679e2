"""Tables: titles and settings of games, and the links and join codes of private games."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import PLAY, READ
from ..games.repository import load
from ..schemas.tables import (
    GameOfCodeSchema,
    JoinCodeSchema,
    NewTitleSchema,
    ReceivedCodeSchema,
    SettingsSchema,
    TableSchema,
)
from ..tables import links, settings, showing, titles
from .answers import answer, secret_answer
from .callers import caller, caller_or_nobody_and_log
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource(
    "Tables", __name__, url_prefix="/v1", description="Manage the titles of games, and the links of private games."
)


@blueprint.get("/games/<game_id>/table", scope=READ, token_optional=True)
@blueprint.doc(operationId="getTable")
@blueprint.response(200, TableSchema, example=ANSWERS["getTable"])
def get_table(game_id: str) -> Response:
    """Get a game's title, link, invitations and rematch.

    The title can change even after the game has ended. Only the owner and the players of a private game get its link.
    Only the game's owner gets the list of invitations.
    """
    player, ahead = caller_or_nobody_and_log(game_id)
    return _table(game_id, player.id if player else None, ahead)


@blueprint.patch("/games/<game_id>/table", scope=PLAY, problems=("not-the-owner",))
@blueprint.doc(operationId="changeTable")
@blueprint.arguments(NewTitleSchema, example=REQUESTS["changeTable"])
@blueprint.response(200, TableSchema, example=ANSWERS["changeTable"])
def change_table(body: dict[str, Any], game_id: str) -> Response:
    """Change a game's title, or remove it.

    Only the game's owner and the host can change the title.
    """
    player = caller().id
    titles.change(games(), game_id, player, body["title"])
    return _table(game_id, player)


@blueprint.post("/games/<game_id>/link", scope=PLAY, problems=("not-the-owner", "not-private"))
@blueprint.doc(operationId="replaceLink")
@blueprint.response(200, TableSchema, example=ANSWERS["replaceLink"])
def replace_link(game_id: str) -> Response:
    """Replace the link of a private game.

    The old link and all join codes stop working immediately. Players keep their seats. Only the game's owner can
    replace the link.
    """
    player = caller().id
    links.replace_link(games(), game_id, player, attempt())
    return _table(game_id, player)


@blueprint.post("/games/<game_id>/code", scope=PLAY, problems=("not-seated", "not-private"))
@blueprint.doc(operationId="makeJoinCode")
@blueprint.response(201, JoinCodeSchema, example=ANSWERS["makeJoinCode"])
def make_join_code(game_id: str) -> Response:
    """Get a join code that lets other people find your private game.

    Read the code out, or send it to the people who should join. With `POST /v1/codes/find`, people exchange the code
    for the game's id and link. A code is valid for a day, and any number of people can use it. The server stores only a
    hash of the code.
    """
    join_code = links.make_code(games(), game_id, caller().id, attempt())
    return secret_answer({"code": join_code.code, "expires_at": join_code.expires}, 201)


@blueprint.post("/codes/find", scope=READ, keyless=True, problems=("code-unknown",))
@blueprint.doc(operationId="findGame")
@blueprint.arguments(ReceivedCodeSchema, example=REQUESTS["findGame"])
@blueprint.response(200, GameOfCodeSchema, example=ANSWERS["findGame"])
def find_game(body: dict[str, Any]) -> Response:
    """Find a private game by its join code.

    The response contains the game's link. Send the link's secret in the `Game-Link` header to see the game and join it.
    """
    caller()
    found = links.find(games(), body["code"])
    return secret_answer({"game": found.game, "link": showing.show_link(found.game, found.link)}, 200)


@blueprint.get("/games/<game_id>/settings", scope=READ, token_optional=True)
@blueprint.doc(operationId="getSettings")
@blueprint.response(200, SettingsSchema, example=ANSWERS["getSettings"])
def get_settings(game_id: str) -> Response:
    """Get a game's settings, in the form of a request to open a game.

    To open another game with the same settings, send the response to `POST /v1/games`.
    """
    _, ahead = caller_or_nobody_and_log(game_id)
    return answer(settings.settings_of(games(), load(games(), game_id, ahead)))


def _table(game_id: str, player: str | None, ahead: Any = None) -> Response:
    """Return a response with a game's table as the caller sees it. The response may contain the game's link."""
    return secret_answer(showing.show(games(), load(games(), game_id, ahead), player), 200)
