"""Schemas for players and their tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from marshmallow import Schema, fields, validate

from ..accounts.codes import RECOVERY_GROUPS, code_pattern
from .clocks import HoursSchema
from .common import matching, milliseconds, nullable_milliseconds
from .named import Named
from .one_of import OneOf
from .webhooks import DISABLED_REASON, SECRET, WebhookSchema

NAME = "[A-Za-z0-9][A-Za-z0-9_-]{1,19}"


def new_token() -> fields.String:
    """Return a field for a new token."""
    description = "The new token, which the server shows only once. Send the token as `Authorization: Bearer <token>`."
    return fields.String(required=True, metadata={"description": description, "pattern": "^[!-~]+$"})


def recovery_code() -> fields.String:
    """Return a field for a new recovery code."""
    description = (
        "The new recovery code, which the server shows only once. If you lose your token, `POST /v1/recovery` "
        "exchanges this code for a new token. Store the code separately from your tokens."
    )
    pattern = code_pattern(RECOVERY_GROUPS)
    metadata = {"description": description, "pattern": pattern, "example": "7K3M-0QXZ-9D4F-B2WT-H6PE"}
    return fields.String(required=True, metadata=metadata)


class RegistrationSchema(Schema):
    """A player to register."""

    name = fields.String(
        required=True,
        validate=matching(
            NAME, "Must be 2 to 20 ASCII letters, digits, _ or -, and must begin with a letter or digit."
        ),
        metadata={
            "description": "The player's name. No two players can have the same name, and names that differ "
            "only in case count as the same.",
            "pattern": f"^{NAME}$",
        },
    )
    code = fields.String(
        validate=validate.Length(max=200),
        metadata={
            "description": "The operator's registration code. The code is required if only people who have "
            "the code can register. Otherwise, the server ignores the code."
        },
    )


class PlayerSchema(Schema):
    """A player."""

    id = fields.String(required=True, metadata={"description": "The id of the player, which never changes."})
    name = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The name of the player, or `null` if the account was deleted."},
    )


class MoveTimesSchema(Schema):
    """How long a player's moves took, in milliseconds.

    In a game with a clock, a move's time is the time that the clock counted. In other games, a move's time is the time
    since the previous commit.
    """

    mean = fields.Integer(required=True, metadata={"description": "The mean time for a move, in milliseconds."})
    quartiles = fields.List(
        fields.Integer(),
        required=True,
        validate=validate.Length(equal=3),
        metadata={
            "description": "The 25th, 50th and 75th percentiles of the time for a move, in milliseconds. Each "
            "percentile is accurate to within 3 percent."
        },
    )


class PlayerRecordSchema(Schema):
    """A player's record across all games."""

    moves = fields.Integer(required=True, metadata={"description": "How many moves the player has made."})
    timeouts = fields.Integer(required=True, metadata={"description": "How many times the player's time has run out."})
    move_times = fields.Nested(
        MoveTimesSchema,
        required=True,
        allow_none=True,
        metadata={"description": "How long the player's moves took, or `null` if the player has not moved yet."},
    )


class PlayerWithRecordSchema(PlayerSchema):
    """A player with their public record."""

    record = fields.Nested(
        PlayerRecordSchema, required=True, metadata={"description": "The player's record across all games."}
    )


class WebhookDisabledSchema(Schema):
    """The server disabled one of your webhooks. `reason` says why."""

    type = fields.String(
        required=True,
        validate=validate.OneOf(["webhook-disabled"]),
        metadata={"description": "The type of the notice."},
    )
    webhook = fields.String(required=True, metadata={"description": "The id of the webhook."})
    reason = Named(DISABLED_REASON, required=True, metadata={"description": "Why the server disabled the webhook."})


class SeatWithBotSchema(Schema):
    """A bot is playing your seat in a running game, until you take the seat back."""

    type = fields.String(
        required=True, validate=validate.OneOf(["seat-with-bot"]), metadata={"description": "The type of the notice."}
    )
    game = fields.String(
        required=True,
        metadata={"description": "The id of the game. Send `POST /v1/games/{id}/return` to take the seat back."},
    )
    seat = fields.Integer(required=True, metadata={"description": "Your seat."})
    since = milliseconds("When the bot took over the seat")


class AnnouncedSchema(Schema):
    """An announcement by the service's host."""

    type = fields.String(
        required=True, validate=validate.OneOf(["announcement"]), metadata={"description": "The type of the notice."}
    )
    announcement = fields.String(required=True, metadata={"description": "The id of the announcement."})
    text = fields.String(required=True, metadata={"description": "The text of the announcement."})
    until = nullable_milliseconds("When the announcement ends", "the announcement stays until the host removes it")


class NoticeSchema(OneOf):
    """Something that needs your attention.

    Later releases may add types of notices. A client must accept notices of unknown types, and may ignore them.
    """

    branches: ClassVar[Mapping[str, type[Schema]]] = {
        "announcement": AnnouncedSchema,
        "webhook-disabled": WebhookDisabledSchema,
        "seat-with-bot": SeatWithBotSchema,
    }


class MeSchema(PlayerSchema):
    """The caller's own player."""

    hours = fields.Nested(HoursSchema, required=True, metadata={"description": "The times at which your clocks stop."})
    notices = fields.List(
        fields.Nested(NoticeSchema), required=True, metadata={"description": "The notices that need your attention."}
    )


class TokenShownSchema(PlayerSchema):
    """A player with a new token."""

    token = new_token()


class RegisteredSchema(TokenShownSchema):
    """A new player, with a token and a recovery code."""

    recovery_code = recovery_code()


def pause_webhooks() -> fields.String:
    """Return a field that lets a request for a new token also pause the player's webhooks."""
    return fields.String(
        validate=validate.OneOf(["pause"]),
        metadata={
            "description": "Send `pause` to deactivate all your webhooks and give each a new secret. Do this if the "
            "token may have been stolen. If omitted, your webhooks do not change."
        },
    )


class TokenReplacementSchema(Schema):
    """What else to change when the server replaces your token."""

    webhooks = pause_webhooks()


class WebhookLeftSchema(WebhookSchema):
    """A webhook after its owner's token was replaced."""

    secret = fields.String(
        metadata={
            "description": "The new secret, which the server shows only once. Present only with `pause`. The old "
            "secrets are no longer valid.",
            "pattern": SECRET,
        }
    )


class TokenReplacedSchema(TokenShownSchema):
    """A player, and the token that replaces the previous one."""

    webhooks = fields.List(
        fields.Nested(WebhookLeftSchema),
        required=True,
        metadata={
            "description": "Your active webhooks, which keep working because they need no token. With `pause`, the "
            "list contains all your webhooks, which are now inactive."
        },
    )
