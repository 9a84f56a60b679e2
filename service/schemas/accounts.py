"""Accounts: schemas for tokens, codes for new devices, recovery codes, export and deletion."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from ..accounts.access import ADMIN, SCOPES
from ..accounts.codes import DEVICE_GROUPS, code_pattern
from .clocks import HoursSchema
from .common import CheckedSchema, Whole, matching, milliseconds, nullable_milliseconds
from .games import GAME_STATUS
from .named import EDITION_KEY, Named, NamedType
from .notices import NoticesSchema
from .orders import OrdersInGameSchema
from .players import (
    PlayerWithRecordSchema,
    TokenReplacedSchema,
    TokenShownSchema,
    new_token,
    pause_webhooks,
    recovery_code,
)
from .tables import InvitationSchema
from .talk import BlockSchema, MessageSchema
from .webhooks import WebhookSchema

TOKEN_NAME = r"[^\x00-\x1f\x7f\ud800-\udfff]{1,40}"
MEANINGS = {
    "read": "read games, events and your own account",
    "play": "open and join games, make moves, and take any other action in a game",
    "webhooks": "manage webhooks",
    "account": "manage tokens, devices, hours and the account itself",
}

TOKEN_SCOPE = NamedType(
    "TokenScope",
    " ".join(["What a token may be used for.", *(f"`{scope}`: {MEANINGS[scope]}." for scope in SCOPES)])
    + " `admin`: act as the host. Only the command line can grant the scope `admin`.",
    [*SCOPES, ADMIN],
    is_open=True,
)


def _scopes(default: str = "", **kwargs: Any) -> fields.List[Any]:
    return fields.List(
        Named(TOKEN_SCOPE, SCOPES),
        validate=validate.Length(min=1, max=len(SCOPES)),
        metadata={
            "description": f"What the token may be used for. Any scope except `admin` is allowed. {default}".rstrip()
        },
        **kwargs,
    )


def _token_name(**kwargs: Any) -> fields.String:
    return fields.String(
        validate=matching(TOKEN_NAME, "Must be 1 to 40 characters, without control characters."),
        metadata={
            "description": "A name that helps you recognise the token, such as the name of the device or "
            "bot that uses it."
        },
        **kwargs,
    )


def _code() -> fields.String:
    return fields.String(
        required=True,
        validate=validate.Length(1, 60),
        metadata={"description": "The code. Case, hyphens and spaces do not matter."},
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
            "description": "When the token expires, in milliseconds since 1970-01-01 UTC. If omitted or `null`, the "
            "token works until you revoke it.",
            "format": "int64",
        },
    )


class TokenSchema(Schema):
    """One of your tokens, without its secret text."""

    id = fields.String(required=True, metadata={"description": "The id of the token, which is not the token itself."})
    name = fields.String(required=True, metadata={"description": "The name that helps you recognise the token."})
    scopes = fields.List(
        Named(TOKEN_SCOPE),
        required=True,
        metadata={"description": "What the token may be used for."},
    )
    created_at = milliseconds("When the token was created")
    expires_at = nullable_milliseconds("When the token expires", "the token does not expire")
    last_used_at = nullable_milliseconds(
        "When the token was last used, updated at most once an hour", "the token has not been used yet"
    )
    current = fields.Boolean(
        required=True, metadata={"description": "Whether this is the token that you sent with the request."}
    )


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

    scopes = _scopes("By default, the token gets all of these scopes.", load_default=SCOPES)


class DeviceCodeSchema(Schema):
    """A code for one new device."""

    code = fields.String(
        required=True,
        metadata={
            "description": "The code to type on the device: two groups of four characters.",
            "pattern": code_pattern(DEVICE_GROUPS),
            "example": "K7QM-3XRT",
        },
    )
    url = fields.String(
        required=True,
        metadata={
            "description": "The text for a QR code. The text contains the code and this server's address.",
            "example": "condottiere://play.example.org/devices?code=K7QM-3XRT",
        },
    )
    scopes = fields.List(
        Named(TOKEN_SCOPE), required=True, metadata={"description": "What the new device's token may be used for."}
    )
    expires_at = milliseconds("When the code expires (ten minutes after this request)")


class DeviceSchema(Schema):
    """A new device, and the code that lets it act for a player."""

    code = _code()
    name = _token_name(required=True)


class DeviceTokenSchema(TokenShownSchema):
    """Your player and the new device's token."""

    scopes = fields.List(
        Named(TOKEN_SCOPE),
        required=True,
        metadata={"description": "What the token may be used for."},
    )


class RecoverySchema(CheckedSchema):
    """The recovery code of a player who has lost all tokens, and the player's name or id."""

    name = fields.String(validate=validate.Length(1, 40), metadata={"description": "The name of your player."})
    id = fields.String(
        validate=validate.Length(1, 40), metadata={"description": "The id of your player. Send either `id` or `name`."}
    )
    code = _code()
    webhooks = pause_webhooks()

    def check(self, parts: dict[str, Any]) -> None:
        """Require either the name or the id, but not both. Raises: ValidationError."""
        if ("name" in parts) == ("id" in parts):
            raise ValidationError("Send either name or id.")


class RecoveredSchema(TokenReplacedSchema):
    """Your player, with a new token. All other tokens have stopped working."""

    recovery_code = recovery_code()


class NewRecoveryCodeSchema(Schema):
    """A new recovery code."""

    recovery_code = recovery_code()


class DeletionSchema(Schema):
    """The confirmation that you want to delete your account."""

    name = fields.String(
        required=True,
        validate=validate.Length(1, 40),
        metadata={"description": "The name of your player, which confirms the deletion."},
    )


class ExportedPlayerSchema(PlayerWithRecordSchema):
    """Your player, with your public record."""

    earlier_names = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The names that you had before the host renamed you, oldest first."},
    )
    registered_at = milliseconds("When you registered")


class ExportedGameSchema(Schema):
    """A game that you own or have a seat in."""

    id = fields.String(required=True, metadata={"description": "The id of the game."})
    status = Named(GAME_STATUS, required=True, metadata={"description": "The status of the game."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    opened_at = milliseconds("When the game was opened")
    changed_at = milliseconds("When the game last changed (the same time as in lists of games)")
    seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "Your seat, or `null` if you have no seat in the game."},
    )
    owner = fields.Boolean(required=True, metadata={"description": "Whether you are the owner of the game."})


class ExportedFeedSchema(Schema):
    """The feed of events from all your games."""

    next = fields.String(
        required=True,
        metadata={"description": "The cursor at the end of the feed. Send it as `after` to `GET /v1/me/events`."},
    )
    entries = fields.Integer(required=True, metadata={"description": "How many commits are in the feed."})


class ExportedMessageSchema(MessageSchema):
    """A message that you have written, and the game in which you wrote it."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})

    class Meta:
        """Omit the author, because every message in an export was written by the exporting player."""

        exclude = ("player", "name")


class ExportSchema(Schema):
    """All data that the server stores about you."""

    exported_at = milliseconds("When the server collected this data")
    player = fields.Nested(ExportedPlayerSchema, required=True, metadata={"description": "Your player."})
    hours = fields.Nested(HoursSchema, required=True, metadata={"description": "The times at which your clocks stop."})
    tokens = fields.List(
        fields.Nested(TokenSchema),
        required=True,
        metadata={"description": "Your tokens, without their secret text."},
    )
    has_recovery_code = fields.Boolean(required=True, metadata={"description": "Whether you have a recovery code."})
    webhooks = fields.List(fields.Nested(WebhookSchema), required=True, metadata={"description": "Your webhooks."})
    notices = fields.Nested(
        NoticesSchema,
        required=True,
        metadata={"description": "Your settings for e-mail and for notifications in browsers."},
    )
    games = fields.List(
        fields.Nested(ExportedGameSchema),
        required=True,
        metadata={"description": "The games that you own or have a seat in."},
    )
    orders = fields.List(
        fields.Nested(OrdersInGameSchema), required=True, metadata={"description": "Your standing orders."}
    )
    invitations = fields.List(
        fields.Nested(InvitationSchema),
        required=True,
        metadata={"description": "The invitations that you have not answered."},
    )
    talk = fields.List(
        fields.Nested(ExportedMessageSchema),
        required=True,
        metadata={"description": "All messages that you have written in games, oldest first."},
    )
    blocks = fields.List(
        fields.Nested(BlockSchema), required=True, metadata={"description": "The players whom you have blocked."}
    )
    feed = fields.Nested(
        ExportedFeedSchema, required=True, metadata={"description": "The feed of events from all your games."}
    )
