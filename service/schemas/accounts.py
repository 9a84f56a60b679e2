"""Tokens of a player, codes of new devices, and recovery codes."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from ..accounts.access import ADMIN, SCOPES
from ..accounts.codes import DEVICE_GROUPS, code_pattern
from .clocks import HoursSchema
from .common import CheckedSchema, Whole, matching, milliseconds, nullable_milliseconds
from .games import GAME_STATUS
from .named import EDITION_KEY, Named, NamedType
from .orders import OrdersSchema
from .players import (
    PlayerWithRecordSchema,
    TokenReplacedSchema,
    TokenShownSchema,
    new_token,
    pause_webhooks,
    recovery_code,
)
from .webhooks import WebhookSchema

TOKEN_NAME = r"[^\x00-\x1f\x7f\ud800-\udfff]{1,40}"
MEANINGS = {
    "read": "read games, events and your own player",
    "play": "open and join games, move, and everything else that acts in a game",
    "webhooks": "manage webhooks",
    "account": "manage tokens, devices, hours and the account itself",
}

TOKEN_SCOPE = NamedType(
    "TokenScope",
    " ".join(["What a token may be used for.", *(f"`{scope}`: {MEANINGS[scope]}." for scope in SCOPES)])
    + " `admin`: act as the host; only the command line grants it.",
    [*SCOPES, ADMIN],
    is_open=True,
)


def _scopes(default: str = "", **kwargs: Any) -> fields.List[Any]:
    return fields.List(
        Named(TOKEN_SCOPE, SCOPES),
        validate=validate.Length(min=1, max=len(SCOPES)),
        metadata={"description": f"What the token may be used for: all but `admin`. {default}".rstrip()},
        **kwargs,
    )


def _token_name(**kwargs: Any) -> fields.String:
    return fields.String(
        validate=matching(TOKEN_NAME, "1 to 40 characters, without control characters."),
        metadata={"description": "Your own name for the token, such as the device or the bot that uses it."},
        **kwargs,
    )


def _code() -> fields.String:
    return fields.String(
        required=True,
        validate=validate.Length(1, 60),
        metadata={"description": "The code. Upper and lower case, hyphens and spaces make no difference."},
    )


class TokenChoiceSchema(Schema):
    """The token to create."""

    name = _token_name(required=True)
    scopes = _scopes(required=True)
    expires_at = Whole(
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

    id = fields.String(required=True, metadata={"description": "Identifies the token among your tokens."})
    name = fields.String(required=True, metadata={"description": "Your own name for the token."})
    scopes = fields.List(
        Named(TOKEN_SCOPE),
        required=True,
        metadata={"description": "What the token may be used for."},
    )
    created_at = milliseconds("When the token was created")
    expires_at = nullable_milliseconds("When the token stops working", "never")
    last_used_at = nullable_milliseconds(
        "When the token was last used, as recorded at most once an hour", "it has not been used yet"
    )
    current = fields.Boolean(required=True, metadata={"description": "Whether this request was made with the token."})


class TokenListSchema(Schema):
    """Your tokens."""

    tokens = fields.List(
        fields.Nested(TokenSchema), required=True, metadata={"description": "Your tokens, oldest first."}
    )


class TokenWithTextSchema(TokenSchema):
    """A new token."""

    token = new_token()


class DeviceChoiceSchema(Schema):
    """The scopes of a new device."""

    scopes = _scopes("If left out, all of them.", load_default=SCOPES)


class DeviceCodeSchema(Schema):
    """A code for one new device."""

    code = fields.String(
        required=True,
        metadata={
            "description": "Two groups of four characters, to be typed on the device.",
            "pattern": code_pattern(DEVICE_GROUPS),
            "example": "K7QM-3XRT",
        },
    )
    url = fields.String(
        required=True,
        metadata={
            "description": "The code and the address of this server as one text, to be shown as a QR code.",
            "example": "condottiere://play.example.org/devices?code=K7QM-3XRT",
        },
    )
    scopes = fields.List(
        Named(TOKEN_SCOPE), required=True, metadata={"description": "What the new device's token may be used for."}
    )
    expires_at = milliseconds("When the code expires, ten minutes after this request")


class DeviceSchema(Schema):
    """A new device with its code."""

    code = _code()
    name = _token_name(required=True)


class DeviceTokenSchema(TokenShownSchema):
    """Your player, with the token of the new device."""

    scopes = fields.List(
        Named(TOKEN_SCOPE),
        required=True,
        metadata={"description": "What the token may be used for."},
    )


class RecoverySchema(CheckedSchema):
    """A player who has lost all tokens, by name or id."""

    name = fields.String(validate=validate.Length(1, 40), metadata={"description": "The name of your player."})
    id = fields.String(
        validate=validate.Length(1, 40), metadata={"description": "The id of your player, instead of `name`."}
    )
    code = _code()
    webhooks = pause_webhooks()

    def check(self, parts: dict[str, Any]) -> None:
        """Require either the name or the id."""
        if ("name" in parts) == ("id" in parts):
            raise ValidationError("Send either name or id.")


class RecoveredSchema(TokenReplacedSchema):
    """Your player, with the only token that is valid now."""

    recovery_code = recovery_code()


class NewRecoveryCodeSchema(Schema):
    """A new recovery code."""

    recovery_code = recovery_code()


class DeletionSchema(Schema):
    """The confirmation of a deletion."""

    name = fields.String(
        required=True,
        validate=validate.Length(1, 40),
        metadata={"description": "The name of your player, so that no account is deleted by mistake."},
    )


class ExportedPlayerSchema(PlayerWithRecordSchema):
    """Your player, with the public record."""

    registered_at = milliseconds("When you registered")


class ExportedGameSchema(Schema):
    """A game that you own or have a seat in."""

    id = fields.String(required=True, metadata={"description": "The id of the game."})
    status = Named(GAME_STATUS, required=True, metadata={"description": "The status of the game."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    opened_at = milliseconds("When the game was opened")
    changed_at = milliseconds("When its entry in lists last changed")
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "Your seat; null: you have none."})
    owner = fields.Boolean(required=True, metadata={"description": "Whether you opened the game."})


class ExportedOrdersSchema(OrdersSchema):
    """Your standing orders in a game."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})


class ExportedFeedSchema(Schema):
    """Your feed of events."""

    next = fields.String(required=True, metadata={"description": "The cursor at the end of the feed, for `after`."})
    entries = fields.Integer(required=True, metadata={"description": "How many commits of games are in the feed."})


class ExportSchema(Schema):
    """Everything that the server holds about you."""

    exported_at = milliseconds("When the server read this data")
    player = fields.Nested(ExportedPlayerSchema, required=True, metadata={"description": "Your player."})
    hours = fields.Nested(HoursSchema, required=True, metadata={"description": "When your clocks stop."})
    tokens = fields.List(
        fields.Nested(TokenSchema), required=True, metadata={"description": "Your tokens, without their text."}
    )
    has_recovery_code = fields.Boolean(required=True, metadata={"description": "Whether you have a recovery code."})
    webhooks = fields.List(fields.Nested(WebhookSchema), required=True, metadata={"description": "Your webhooks."})
    games = fields.List(
        fields.Nested(ExportedGameSchema),
        required=True,
        metadata={"description": "The games that you own or have a seat in."},
    )
    orders = fields.List(
        fields.Nested(ExportedOrdersSchema), required=True, metadata={"description": "Your standing orders."}
    )
    feed = fields.Nested(ExportedFeedSchema, required=True, metadata={"description": "Your feed of events."})
