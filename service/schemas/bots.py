"""Schemas of bots."""

from marshmallow import Schema, fields


class BotSchema(Schema):
    """A bot that can play a seat."""

    key = fields.String(required=True)
    label = fields.String(required=True, metadata={"description": "A short name to show to people."})
    summary = fields.String(required=True, metadata={"description": "How the bot plays."})
    revision = fields.Integer(
        required=True,
        metadata={"description": "The number of this version of the bot's play: each revision repeats its choices."},
    )


class BotsSchema(Schema):
    """The bots, weakest first."""

    bots = fields.List(fields.Nested(BotSchema), required=True)
