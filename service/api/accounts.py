"""Accounts: the caller's tokens, new devices, recovery, export and deletion."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from ..accounts import deletion, devices, export, recovery, tokens
from ..accounts.access import ACCOUNT
from ..schemas.accounts import (
    DeletionSchema,
    DeviceChoiceSchema,
    DeviceCodeSchema,
    DeviceSchema,
    DeviceTokenSchema,
    ExportSchema,
    NewRecoveryCodeSchema,
    RecoveredSchema,
    RecoverySchema,
    TokenChoiceSchema,
    TokenListSchema,
    TokenWithTextSchema,
)
from ..views.players import show_player
from .answers import answer, replay_mark, secret_answer
from .callers import caller
from .conditions import secret_key
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .parameters import SECRET_KEY
from .resource import Resource

blueprint = Resource("Accounts", __name__, url_prefix="/v1", description="Manage your tokens and your account.")


@blueprint.get("/me/tokens", scope=ACCOUNT)
@blueprint.doc(operationId="listTokens")
@blueprint.response(200, TokenListSchema, example=ANSWERS["listTokens"])
def list_tokens() -> Response:
    """List your tokens, oldest first.

    An expired token stays in the list until you revoke it. If you create a token when you already have the maximum
    number, the server first removes all expired tokens.
    """
    return answer({"tokens": tokens.of_player(games(), caller())})


@blueprint.post("/me/tokens", scope=ACCOUNT, problems=("too-many-tokens",))
@blueprint.doc(operationId="makeToken")
@blueprint.arguments(TokenChoiceSchema, example=REQUESTS["makeToken"])
@blueprint.response(201, TokenWithTextSchema, example=ANSWERS["makeToken"])
def make_token(body: dict[str, Any]) -> Response:
    """Create a token for a bot or a program, with the rights that it needs.

    The server shows the token only once and stores only its hash. A player can have at most 20 tokens.
    """
    choice = tokens.Choice(body["name"], body["scopes"], body["expires_at"])
    return secret_answer(tokens.create(games(), caller(), choice, attempt()), 201)


@blueprint.delete("/me/tokens/<token_id>", scope=ACCOUNT)
@blueprint.doc(operationId="revokeToken")
@blueprint.response(204, description="The server has revoked the token.")
def revoke_token(token_id: str) -> Response:
    """Revoke one of your tokens.

    The token stops working immediately, even for open streams and long polls. You can also revoke the token that you
    send with this request.
    """
    tokens.revoke(games(), caller(), token_id, attempt())
    return Response(status=204)


@blueprint.post("/me/devices", scope=ACCOUNT)
@blueprint.doc(operationId="addDevice")
@blueprint.arguments(DeviceChoiceSchema, required=False, example=REQUESTS["addDevice"])
@blueprint.response(201, DeviceCodeSchema, example=ANSWERS["addDevice"])
def add_device(body: dict[str, Any]) -> Response:
    """Get a code that lets a new device act for your player.

    Type the code on the new device, or show `url` as a QR code that the device can scan. The device then exchanges the
    code for its own token with `POST /v1/devices`. You can revoke that token later. The code is valid for ten minutes
    and for one device. The code stops working if you revoke or replace the token that you send with this request. The
    server stores only a hash of the code.
    """
    device_code = devices.make_code(games(), caller(), body["scopes"], attempt())
    url = f"condottiere://{request.host}/devices?code={device_code.code}"
    content = {
        "code": device_code.code,
        "url": url,
        "scopes": list(device_code.scopes),
        "expires_at": device_code.expires,
    }
    return secret_answer(content, 201)


@blueprint.post("/devices", scope=None, own_key=SECRET_KEY, problems=("code-unknown", "too-many-tokens"))
@blueprint.doc(operationId="exchangeDevice")
@blueprint.arguments(DeviceSchema, example=REQUESTS["exchangeDevice"])
@blueprint.response(201, DeviceTokenSchema, example=ANSWERS["exchangeDevice"])
def exchange_device(body: dict[str, Any]) -> Response:
    """Exchange a device code for a token.

    A player gets the code with `POST /v1/me/devices`. The token belongs to the player who got the code. The token has
    the scopes that this player chose, and the `name` that you send. The server shows the token only once.
    """
    content, replayed = devices.exchange(games(), body["code"], body["name"], secret_key())
    return secret_answer(content, 201, replay_mark(replayed))


@blueprint.post("/me/recovery-code", scope=ACCOUNT)
@blueprint.doc(operationId="replaceRecoveryCode")
@blueprint.response(201, NewRecoveryCodeSchema, example=ANSWERS["replaceRecoveryCode"])
def replace_recovery_code() -> Response:
    """Replace your recovery code.

    The old code stops working. Players who registered with release 0.3.0 or earlier have no recovery code until they
    send this request.
    """
    return secret_answer({"recovery_code": recovery.new_code(games(), caller(), attempt())}, 201)


@blueprint.post("/recovery", scope=None, own_key=SECRET_KEY, problems=("code-unknown",))
@blueprint.doc(operationId="recoverAccount")
@blueprint.arguments(RecoverySchema, example=REQUESTS["recoverAccount"])
@blueprint.response(201, RecoveredSchema, example=ANSWERS["recoverAccount"])
def recover_account(body: dict[str, Any]) -> Response:
    """Use your recovery code to replace all your tokens.

    All your tokens stop working immediately. The response contains a new token and a new recovery code. You cannot use
    the old recovery code again. Your webhooks do not change, unless your request pauses them with `webhooks`.

    If the response is lost, repeat the request with the same Idempotency-Key to get the same response.
    """
    who, by_name = body.get("name", body.get("id", "")), "name" in body
    result = recovery.recover(games(), who, body["code"], secret_key(), by_name=by_name, pause="webhooks" in body)
    content = {
        **show_player(result.player),
        "token": result.token,
        "recovery_code": result.code,
        "webhooks": list(result.webhooks),
    }
    return secret_answer(content, 201, replay_mark(result.repeated))


@blueprint.get("/me/export", scope=ACCOUNT)
@blueprint.doc(operationId="exportMe")
@blueprint.response(200, ExportSchema, example=ANSWERS["exportMe"])
def export_me() -> Response:
    """Export all data that the server stores about you, as one JSON document.

    The export contains an entry for each of your games, but no events. Get a game's events with `GET
    /v1/games/{id}/events`.
    """
    return answer(export.export(games(), caller()))


@blueprint.delete("/me", scope=ACCOUNT, keyless=True)
@blueprint.doc(operationId="deleteMe")
@blueprint.arguments(DeletionSchema, example=REQUESTS["deleteMe"])
@blueprint.response(204, description="The server has deleted the account.")
def delete_me(body: dict[str, Any]) -> Response:
    """Delete your account.

    The server cancels the open games that you own, and removes you from all other open games. In each running game,
    `clock.at_timeout` decides what happens to your seat: a bot gets the seat, another player can take it, or the seat
    resigns. The server deletes your tokens, webhooks, hours and standing orders. Other players can then take your name.
    Your old games show `null` instead of your name. Game logs contain your id, but never your name.

    If no response arrives, repeat the request. If you then get 401 `token-unknown`, your account has been deleted.
    """
    deletion.delete(games(), caller(), body["name"])
    return Response(status=204)
