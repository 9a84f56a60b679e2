"""Players and their tokens."""

from marshmallow import Schema, fields, validate

from .common import matching

NAME = "[A-Za-z0-9][A-Za-z0-9_-]{1,19}"


class RegistrationSchema(Schema):
    """Who wants to play."""

    name = fields.String(
        required=True,
        validate=matching(NAME, "2 to 20 letters, digits, _ or -, and a letter or digit first."),
        metadata={"description": "Unique, whatever the case of its letters.", "pattern": f"^{NAME}$"},
    )


class PlayerSchema(Schema):
    """A player."""

    id = fields.String(required=True, metadata={"description": "Stable; games name players by it."})
    name = fields.String(required=True)


class NoticeSchema(Schema):
    """Something that a player must see to."""

    type = fields.String(required=True, validate=validate.OneOf(["webhook-disabled"]))
    webhook = fields.String(required=True)
    reason = fields.String(required=True, validate=validate.OneOf(["failing", "gone"]))


class MeSchema(PlayerSchema):
    """The player who asks."""

    notices = fields.List(fields.Nested(NoticeSchema), required=True, metadata={"description": "What to see to."})


class RegisteredSchema(PlayerSchema):
    """A player with the token that was just made."""

    token = fields.String(
        required=True, metadata={"description": "Shown this once. Send it as `Authorization: Bearer <token>`."}
    )
