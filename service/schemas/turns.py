"""Turns: what a player's inbox says of a game that waits."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from engine.phases import PHASES

from .common import EDITION_KEYS, milliseconds


class TurnSchema(Schema):
    """A game that waits for you."""

    game = fields.String(required=True)
    url = fields.String(required=True, metadata={"description": "Path of the game."})
    edition = fields.String(required=True, validate=validate.OneOf(EDITION_KEYS))
    seat = fields.Integer(required=True, metadata={"description": "Yours."})
    phase = fields.String(required=True, validate=validate.OneOf(list(PHASES)))
    version = fields.Integer(required=True, metadata={"description": "The game's. Send it in `If-Match` with a move."})
    since = milliseconds("Since when it waits")
    deadline = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When your time is over, in milliseconds since 1970-01-01 UTC; null: the game has no clock.",
            "format": "int64",
        },
    )
    reminder = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "How much of your time, in percent, was left at the last reminder; null: none yet."},
    )


class TurnsSchema(Schema):
    """Your inbox, the most urgent turn first."""

    turns = fields.List(fields.Nested(TurnSchema), required=True)
    next = fields.String(
        required=True, metadata={"description": "Send it as `after`, with `wait`, to be told when this has changed."}
    )
