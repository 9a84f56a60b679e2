"""Players: registration, public records, the caller's own player, and token replacement."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts import players, tokens
from ..accounts.access import ACCOUNT, READ, token_unknown
from ..accounts.admission import require_admission
from ..admin import switching
from ..schemas.players import (
    MeSchema,
    PlayerWithRecordSchema,
    RegisteredSchema,
    RegistrationSchema,
    TokenReplacedSchema,
    TokenReplacementSchema,
)
from ..timekeeping.availability import hours_of
from ..views.players import bot_seat_notices, show_hours, show_player, show_statistics
from ..webhooks import subscriptions
from .answers import LOCATION, answer, replay_mark, secret_answer
from .callers import caller, required_token
from .conditions import secret_key
from .context import admission, games
from .examples import ANSWERS, REQUESTS
from .parameters import SECRET_KEY
from .resource import Resource

blueprint = Resource(
    "Players", __name__, url_prefix="/v1", description="Register, manage your token, and look up players."
)


@blueprint.post(
    "/players",
    scope=None,
    own_key=SECRET_KEY,
    problems=("name-taken", "registration-closed", "registration-code-required", "registration-code-wrong"),
)
@blueprint.doc(operationId="registerPlayer")
@blueprint.arguments(RegistrationSchema, example=REQUESTS["registerPlayer"])
@blueprint.response(201, RegisteredSchema, example=ANSWERS["registerPlayer"], headers=LOCATION)
def register_player(body: dict[str, Any]) -> Response:
    """Register a player.

    The response contains your token, and a recovery code that you can exchange for a new token if you lose yours. The
    server shows the token and the code only once, and stores only hashes of them. If you repeat the request with the
    same Idempotency-Key, you get the same response. The service may require a registration `code`, or may be closed to
    new players.
    """
    require_admission(admission(), body.get("code"), switching.registration_override(games()))
    key = secret_key()
    name = body["name"]
    registration = players.register(games(), name) if key is None else players.register_once(games(), name, key)
    headers = {"Location": f"/v1/players/{registration.player.id}", **replay_mark(registration.repeated)}
    content = {
        **show_player(registration.player),
        "token": registration.token,
        "recovery_code": registration.recovery_code,
    }
    return secret_answer(content, 201, headers)


@blueprint.get("/players/<player_id>", scope=None)
@blueprint.doc(operationId="getPlayer")
@blueprint.response(200, PlayerWithRecordSchema, example=ANSWERS["getPlayer"])
def get_player(player_id: str) -> Response:
    """Get a player.

    The response includes the player's public record: the number of moves, and how long the moves took.
    """
    player = players.find(games(), player_id)
    return answer({**show_player(player), "record": show_statistics(players.record_of(games(), player))})


@blueprint.get("/me", scope=READ)
@blueprint.doc(operationId="getMe")
@blueprint.response(200, MeSchema, example=ANSWERS["getMe"])
def get_me() -> Response:
    """Get your own player's data.

    `notices` lists what needs your attention: the host's announcements, disabled webhooks, and games in which a bot is
    playing your seat.
    """
    player = caller()
    hours = show_hours(hours_of(games(), player.id), games().now())
    notices = [
        *switching.notices(games()),
        *subscriptions.notices(games(), player.id),
        *bot_seat_notices(games(), player.id),
    ]
    return answer({**show_player(player), "hours": hours, "notices": notices})


@blueprint.post("/me/token", scope=ACCOUNT, own_key=SECRET_KEY)
@blueprint.doc(operationId="replaceToken")
@blueprint.arguments(TokenReplacementSchema, required=False, example=REQUESTS["replaceToken"])
@blueprint.response(201, TokenReplacedSchema, example=ANSWERS["replaceToken"])
def replace_token(body: dict[str, Any]) -> Response:
    """Replace your token.

    The old token stops working immediately. The server shows the new token only once. Your webhooks keep working after
    the old token stops. If somebody may have stolen the token, pause your webhooks too. Until you activate a webhook
    again, the server sends nothing to it and ignores moves in its responses.

    If the response is lost, repeat the request with the old token and the same Idempotency-Key to get the same new
    token.
    """
    key, pause = secret_key(), "webhooks" in body
    if key is None:
        replaced = tokens.replace(games(), caller(), required_token(), pause=pause)
    else:
        replaced = tokens.replace_once(games(), required_token(), key, pause=pause)
    if replaced is None:
        raise token_unknown()
    content = {**show_player(replaced.player), "token": replaced.token, "webhooks": replaced.webhooks}
    return secret_answer(content, 201, replay_mark(replaced.repeated))
