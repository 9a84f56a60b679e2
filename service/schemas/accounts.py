"""Tokens of a player: what the caller may choose, and what the caller sees of them."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from ..accounts.access import ADMIN, SCOPES
from .common import matching, milliseconds, nullable_milliseconds

TOKEN_NAME = r"[^\x00-\x1f\x7f\ud800-\udfff]{1,40}"
MEANINGS = {
    "read": "read games, events and your own player",
    "play": "open and join games, move, and everything else that acts in a game",
    "webhooks": "manage webhooks",
    "account": "manage tokens, devices, hours and the account itself",
}


def _scopes(**kwargs: Any) -> fields.List[Any]:
    description = " ".join(f"`{scope}`: {MEANINGS[scope]}." for scope in SCOPES)
    return fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        validate=validate.Length(min=1, max=len(SCOPES)),
        metadata={"description": f"What the token may be used for. {description}"},
        **kwargs,
    )


def _token_name(**kwargs: Any) -> fields.String:
    return fields.String(
        validate=matching(TOKEN_NAME, "1 to 40 characters, without control characters."),
        metadata={"description": "Your own name for the token, such as the device or the bot that uses it."},
        **kwargs,
    )


class TokenChoiceSchema(Schema):
    """A token to make."""

    name = _token_name(required=True)
    scopes = _scopes(required=True)
    expires_at = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, 2**53),
        metadata={
            "description": "When the token stops working, in milliseconds since 1970-01-01 UTC. If left out or null, "
            "it works until it is revoked.",
            "format": "int64",
        },
    )


class TokenSchema(Schema):
    """One of your tokens, without its text."""

    id = fields.String(required=True, metadata={"description": "Identifies the token among yours."})
    name = fields.String(required=True)
    scopes = fields.List(
        fields.String(validate=validate.OneOf([*SCOPES, ADMIN])),
        required=True,
        metadata={"description": "What the token may be used for."},
    )
    created_at = milliseconds("When the token was made")
    expires_at = nullable_milliseconds("When the token stops working", "never")
    last_used_at = nullable_milliseconds(
        "When the token was last used, as recorded at most once an hour", "it was not used yet"
    )
    current = fields.Boolean(required=True, metadata={"description": "Whether this request was made with the token."})


class TokensSchema(Schema):
    """Your tokens."""

    tokens = fields.List(fields.Nested(TokenSchema), required=True)


class TokenWithTextSchema(TokenSchema):
    """A new token."""

    token = fields.String(
        required=True, metadata={"description": "Shown only once. Send it as `Authorization: Bearer <token>`."}
    )
