"""Players and their tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from marshmallow import Schema, fields, validate

from .clocks import HoursSchema
from .common import matching, milliseconds
from .one_of import OneOf
from .webhooks import WebhookSchema

NAME = "[A-Za-z0-9][A-Za-z0-9_-]{1,19}"


class RegistrationSchema(Schema):
    """Who wants to play."""

    name = fields.String(
        required=True,
        validate=matching(NAME, "2 to 20 ASCII letters, digits, _ or -, and a letter or digit first."),
        metadata={"description": "Unique, whatever the case of its letters.", "pattern": f"^{NAME}$"},
    )


class PlayerSchema(Schema):
    """A player."""

    id = fields.String(required=True, metadata={"description": "Stable; games name players by it."})
    name = fields.String(required=True)


class MoveTimesSchema(Schema):
    """How long a player's moves took, as far as their clock ran; without a clock, since the commit before."""

    mean = fields.Integer(required=True, metadata={"description": "In milliseconds."})
    quartiles = fields.List(
        fields.Integer(),
        required=True,
        validate=validate.Length(equal=3),
        metadata={
            "description": "In milliseconds, to within 3 in 100: a quarter, half, three quarters took at most so long."
        },
    )


class RecordSchema(Schema):
    """How a player has played, in all games."""

    moves = fields.Integer(required=True, metadata={"description": "Moves that the player made."})
    timeouts = fields.Integer(required=True, metadata={"description": "How often the player's time was over."})
    move_times = fields.Nested(
        MoveTimesSchema, required=True, allow_none=True, metadata={"description": "null before the first move."}
    )


class PlayerWithRecordSchema(PlayerSchema):
    """A player, with the record that everybody may see."""

    record = fields.Nested(RecordSchema, required=True)


class WebhookDisabledSchema(Schema):
    """One of your webhooks was disabled: its endpoint kept failing, or said that it is gone."""

    type = fields.String(required=True, validate=validate.OneOf(["webhook-disabled"]))
    webhook = fields.String(required=True)
    reason = fields.String(required=True, validate=validate.OneOf(["failing", "gone"]))


class SeatWithBotSchema(Schema):
    """A bot has been given your seat in a running game, and moves until you take the seat back."""

    type = fields.String(required=True, validate=validate.OneOf(["seat-with-bot"]))
    game = fields.String(required=True, metadata={"description": "POST to its `return` takes the seat back."})
    seat = fields.Integer(required=True)
    since = milliseconds("When the bot was given the seat")


class NoticeSchema(OneOf):
    """Something that needs your attention."""

    branches: ClassVar[Mapping[str, type[Schema]]] = {
        "webhook-disabled": WebhookDisabledSchema,
        "seat-with-bot": SeatWithBotSchema,
    }


class MeSchema(PlayerSchema):
    """The player who asks."""

    hours = fields.Nested(HoursSchema, required=True)
    notices = fields.List(
        fields.Nested(NoticeSchema), required=True, metadata={"description": "What needs your attention."}
    )


class RegisteredSchema(PlayerSchema):
    """A player with the token that was just made."""

    token = fields.String(
        required=True, metadata={"description": "Shown this once. Send it as `Authorization: Bearer <token>`."}
    )


class TokenReplacementSchema(Schema):
    """What else happens when a token is replaced."""

    webhooks = fields.String(
        validate=validate.OneOf(["pause"]),
        metadata={
            "description": "pause: make all your webhooks inactive and give each a new secret, for a token that may "
            "have been stolen. Left out: webhooks stay as they are."
        },
    )


class WebhookLeftSchema(WebhookSchema):
    """A webhook after the token was replaced."""

    secret = fields.String(
        metadata={"description": "The new secret, shown this once, where webhooks were paused; it alone signs now."}
    )


class TokenReplacedSchema(RegisteredSchema):
    """A player with the token that replaces the one before."""

    webhooks = fields.List(
        fields.Nested(WebhookLeftSchema),
        required=True,
        metadata={
            "description": "Your active webhooks: what they receive and the moves they answer with need no token. "
            "With `pause`, all your webhooks, none of them active any more."
        },
    )
