"""Schemas of bots."""

from marshmallow import Schema, fields

from .named import BOT_KEY, Named


class BotSchema(Schema):
    """A bot that can play a seat."""

    key = Named(BOT_KEY, required=True, metadata={"description": "The key of the bot."})
    label = fields.String(required=True, metadata={"description": "The bot's name, for display."})
    summary = fields.String(
        required=True, metadata={"description": "A description of how the bot plays and how strong it is."}
    )
    revision = fields.Integer(
        required=True,
        metadata={
            "description": "The revision of the bot. A given revision of a bot always makes the same choices in the "
            "same situation."
        },
    )


class BotListSchema(Schema):
    """The available bots, weakest first."""

    bots = fields.List(
        fields.Nested(BotSchema), required=True, metadata={"description": "The available bots, weakest first."}
    )
