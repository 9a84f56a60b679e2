"""Players: registration, who I am, a new token."""

from __future__ import annotations

from typing import Any

from flask import Response

from .. import absence, players, tokens
from ..hours import hours_of
from ..schemas.players import (
    MeSchema,
    PlayerWithRecordSchema,
    RegisteredSchema,
    RegistrationSchema,
    TokenReplacedSchema,
    TokenReplacementSchema,
)
from ..showing import show_hours, show_record
from ..showing_webhooks import show_webhook, show_with_secret
from ..webhooks import subscriptions
from .examples import ANSWERS, REQUESTS
from .http import LOCATION, Resource, answer, caller, games

blueprint = Resource("Players", __name__, url_prefix="/v1", description="Players and their tokens.")


@blueprint.post("/players")
@blueprint.doc(operationId="registerPlayer", security=[])
@blueprint.arguments(RegistrationSchema, example=REQUESTS["registerPlayer"])
@blueprint.response(201, RegisteredSchema, example=ANSWERS["registerPlayer"], headers=LOCATION)
def register_player(asked: dict[str, Any]) -> Response:
    """Register a player.

    The answer holds the player's token. It is shown this once and stored only as a hash.
    """
    player, token = players.register(games(), asked["name"])
    return answer({**_shown(player), "token": token}, 201, {"Location": f"/v1/players/{player.id}"})


@blueprint.get("/players/<player_id>")
@blueprint.doc(operationId="getPlayer", security=[])
@blueprint.response(200, PlayerWithRecordSchema, example=ANSWERS["getPlayer"])
def get_player(player_id: str) -> Response:
    """Get a player, and the record of how often and how fast the player has moved, which is for everybody to see."""
    player = players.find(games(), player_id)
    return answer({**_shown(player), "record": show_record(players.record_of(games(), player))})


@blueprint.get("/me")
@blueprint.doc(operationId="getMe")
@blueprint.response(200, MeSchema, example=ANSWERS["getMe"])
def get_me() -> Response:
    """Get the player whose token is sent, with notices of what needs attention.

    That is each webhook that was disabled, and each running game in which a bot has been given your seat.
    """
    player = caller()
    found = show_hours(hours_of(games(), player.id), games().now())
    notices = [*subscriptions.notices(games(), player.id), *absence.notices(games(), player.id)]
    return answer({**_shown(player), "hours": found, "notices": notices})


@blueprint.post("/me/token")
@blueprint.doc(operationId="replaceToken")
@blueprint.arguments(TokenReplacementSchema, required=False, example=REQUESTS["replaceToken"])
@blueprint.response(201, TokenReplacedSchema, example=ANSWERS["replaceToken"])
def replace_token(asked: dict[str, Any]) -> Response:
    """Replace the token.

    The token that was sent stops working at once; the new one is shown this once. Webhooks need no token: if yours may
    have been stolen, pause them too. Then nothing more is sent and no answer moves until you activate them again.
    """
    player = caller()
    return answer(_replaced(player, tokens.replace(games(), player, pause="webhooks" in asked)), 201)


def _replaced(player: players.Player, replaced: tokens.Replaced) -> dict[str, Any]:
    show = show_with_secret if replaced.paused else show_webhook
    return {**_shown(player), "token": replaced.token, "webhooks": [show(webhook) for webhook in replaced.webhooks]}


def _shown(player: players.Player) -> dict[str, Any]:
    return {"id": player.id, "name": player.name}
