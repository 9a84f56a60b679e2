"""Schemas for a player's inbox, which lists the games in which it is the player's turn."""

from __future__ import annotations

from marshmallow import Schema, fields

from .common import milliseconds
from .games import SeatedSchema
from .named import EDITION_KEY, PHASE, Named


class TurnSchema(Schema):
    """A game in which it is your turn."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    url = fields.String(required=True, metadata={"description": "The path of the game."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    seat = fields.Integer(required=True, metadata={"description": "Your seat."})
    phase = Named(PHASE, required=True, metadata={"description": "What the game is waiting for."})
    version = fields.Integer(
        required=True,
        metadata={"description": "The version of the game. Send this version in `If-Match` with your move."},
    )
    since = milliseconds("When your turn began")
    deadline = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When your time runs out, in milliseconds since 1970-01-01 UTC. `null` if the game has "
            "no clock.",
            "format": "int64",
        },
    )
    reminder = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The percentage of your time that was left at the last reminder. `null` if there has "
            "been no reminder yet."
        },
    )
    seated = fields.List(
        fields.Nested(SeatedSchema),
        required=True,
        metadata={"description": "The player or bot in each seat, in seat order."},
    )


class TurnListSchema(Schema):
    """Your inbox: all games in which it is your turn."""

    turns = fields.List(
        fields.Nested(TurnSchema),
        required=True,
        metadata={"description": "The games in which it is your turn, most urgent first."},
    )
    next = fields.String(
        required=True,
        metadata={"description": "The value to send as `after`, with `wait`, to wait until the list changes."},
    )
