"""Schemas of bots."""

from marshmallow import Schema, fields

from .named import BOT_KEY, Named


class BotSchema(Schema):
    """A bot that can play a seat."""

    key = Named(BOT_KEY, required=True, metadata={"description": "The key of the bot."})
    label = fields.String(required=True, metadata={"description": "A short name to show to people."})
    summary = fields.String(required=True, metadata={"description": "How the bot plays, and how strong it is."})
    revision = fields.Integer(
        required=True,
        metadata={
            "description": "The number of this version of the bot's play. The same revision always makes the same "
            "choices."
        },
    )


class BotListSchema(Schema):
    """The bots, weakest first."""

    bots = fields.List(fields.Nested(BotSchema), required=True, metadata={"description": "The bots, weakest first."})
