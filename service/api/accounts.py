"""Accounts: the caller's tokens."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts import tokens
from ..accounts.access import ACCOUNT
from ..schemas.accounts import TokenChoiceSchema, TokensSchema, TokenWithTextSchema
from .answers import answer, secret_answer
from .callers import caller
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource(
    "Accounts", __name__, url_prefix="/v1", description="Manage the tokens of your player, and the account itself."
)


@blueprint.get("/me/tokens", scope=ACCOUNT)
@blueprint.doc(operationId="listTokens")
@blueprint.response(200, TokensSchema, example=ANSWERS["listTokens"])
def list_tokens() -> Response:
    """List your tokens, the oldest first.

    A token that has expired stays in the list until you revoke it, or until its place is needed for a new token.
    """
    return answer({"tokens": tokens.of_player(games(), caller())})


@blueprint.post("/me/tokens", scope=ACCOUNT)
@blueprint.doc(operationId="makeToken")
@blueprint.arguments(TokenChoiceSchema, example=REQUESTS["makeToken"])
@blueprint.response(201, TokenWithTextSchema, example=ANSWERS["makeToken"])
def make_token(body: dict[str, Any]) -> Response:
    """Make another token, for a bot or a program that should be able to do less than you.

    The server shows the token only once and stores only its hash. A player can have at most 20 tokens.
    """
    choice = tokens.Choice(body["name"], body["scopes"], body["expires_at"])
    return secret_answer(tokens.create(games(), caller(), choice, attempt()), 201)


@blueprint.delete("/me/tokens/<token_id>", scope=ACCOUNT)
@blueprint.doc(operationId="revokeToken")
@blueprint.response(204, description="The token no longer works.")
def revoke_token(token_id: str) -> Response:
    """Revoke one of your tokens.

    It stops working at once, also for open streams and long polls. You can revoke the token that you send.
    """
    tokens.revoke(games(), caller(), token_id, attempt())
    return Response(status=204)
