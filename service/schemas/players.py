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
    description = "Shown only once. Send the token as `Authorization: Bearer <token>`."
    return fields.String(required=True, metadata={"description": description, "pattern": "^[!-~]+$"})


def recovery_code() -> fields.String:
    """Return a field for a new recovery code."""
    description = (
        "Shown only once. If you lose your token, `POST /v1/recovery` gives you a new token for this code. Store the "
        "code separately from your tokens."
    )
    pattern = code_pattern(RECOVERY_GROUPS)
    metadata = {"description": description, "pattern": pattern, "example": "7K3M-0QXZ-9D4F-B2WT-H6PE"}
    return fields.String(required=True, metadata=metadata)


class RegistrationSchema(Schema):
    """A player to register."""

    name = fields.String(
        required=True,
        validate=matching(NAME, "2 to 20 ASCII letters, digits, _ or -, and a letter or digit first."),
        metadata={"description": "Must be unique. Upper and lower case count as the same.", "pattern": f"^{NAME}$"},
    )
    code = fields.String(
        validate=validate.Length(max=200),
        metadata={
            "description": "The operator's code. Required if the service registers only people who have the code, "
            "otherwise ignored."
        },
    )


class PlayerSchema(Schema):
    """A player."""

    id = fields.String(required=True, metadata={"description": "The id of the player. It never changes."})
    name = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The name of the player. null: the account was deleted."},
    )


class MoveTimesSchema(Schema):
    """How long a player's moves took.

    In a game with a clock, this is the time that the clock counted. In other games, it is the time since the previous
    commit.
    """

    mean = fields.Integer(required=True, metadata={"description": "The mean, in milliseconds."})
    quartiles = fields.List(
        fields.Integer(),
        required=True,
        validate=validate.Length(equal=3),
        metadata={
            "description": "The times within which 25, 50 and 75 percent of the moves were made, in milliseconds, "
            "each accurate to within 3 percent."
        },
    )


class PlayerRecordSchema(Schema):
    """A player's record across all games."""

    moves = fields.Integer(required=True, metadata={"description": "How many moves the player has made."})
    timeouts = fields.Integer(
        required=True, metadata={"description": "The number of times that the player's time ran out."}
    )
    move_times = fields.Nested(
        MoveTimesSchema,
        required=True,
        allow_none=True,
        metadata={"description": "How long the player's moves took. null: the player has not moved yet."},
    )


class PlayerWithRecordSchema(PlayerSchema):
    """A player, with the player's public record."""

    record = fields.Nested(
        PlayerRecordSchema, required=True, metadata={"description": "The player's record over all games."}
    )


class WebhookDisabledSchema(Schema):
    """One of your webhooks was disabled: its endpoint kept failing or is gone, or the host had suspended you."""

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
        required=True, metadata={"description": "The game. `POST /v1/games/{id}/return` takes the seat back."}
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
    until = nullable_milliseconds("When the announcement disappears", "when the host removes it")


class NoticeSchema(OneOf):
    """Something that needs your attention.

    Later releases may add types of notice. A client must accept, and may ignore, notices of a type that it
    does not know.
    """

    branches: ClassVar[Mapping[str, type[Schema]]] = {
        "announcement": AnnouncedSchema,
        "webhook-disabled": WebhookDisabledSchema,
        "seat-with-bot": SeatWithBotSchema,
    }


class MeSchema(PlayerSchema):
    """The caller's own player."""

    hours = fields.Nested(HoursSchema, required=True, metadata={"description": "When your clocks stop."})
    notices = fields.List(
        fields.Nested(NoticeSchema), required=True, metadata={"description": "What needs your attention."}
    )


class TokenShownSchema(PlayerSchema):
    """A player with a new token."""

    token = new_token()


class RegisteredSchema(TokenShownSchema):
    """A new player, with the token and the recovery code."""

    recovery_code = recovery_code()


def pause_webhooks() -> fields.String:
    """Return a field that says whether a request that replaces tokens also pauses the player's webhooks."""
    return fields.String(
        validate=validate.OneOf(["pause"]),
        metadata={
            "description": "pause: also make all your webhooks inactive and give each a new secret. Do this if the "
            "token may have been stolen. If left out, webhooks stay as they are."
        },
    )


class TokenReplacementSchema(Schema):
    """Other changes to make when a token is replaced."""

    webhooks = pause_webhooks()


class WebhookLeftSchema(WebhookSchema):
    """A webhook after its owner's token was replaced."""

    secret = fields.String(
        metadata={
            "description": "Only with `pause`: the new secret, shown only once. The old secrets are no longer valid.",
            "pattern": SECRET,
        }
    )


class TokenReplacedSchema(TokenShownSchema):
    """A player with the token that replaces the previous one."""

    webhooks = fields.List(
        fields.Nested(WebhookLeftSchema),
        required=True,
        metadata={
            "description": "Your active webhooks, which work without a token. With `pause`: all your webhooks, now "
            "inactive."
        },
    )
