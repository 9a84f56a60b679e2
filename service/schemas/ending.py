"""Schemas for ending a game by consent."""

from marshmallow import Schema, fields

from ..games.events import OUTCOMES
from .named import Named, NamedType

END_OUTCOME = NamedType(
    "EndOutcome",
    "The outcome when the players agree to end a game. `none`: the game ends without a result, as if it had been "
    "cancelled. `leaders`: the leading seats win.",
    OUTCOMES,
)


class EndChoiceSchema(Schema):
    """The outcome that a player wants."""

    outcome = Named(END_OUTCOME, required=True, metadata={"description": "The outcome that you want."})


class EndRequestSchema(Schema):
    """A seat that has asked to end the game, or has agreed to end it."""

    seat = fields.Integer(required=True, metadata={"description": "The number of the seat."})
    outcome = Named(END_OUTCOME, required=True, metadata={"description": "The outcome that the seat wants."})


class EndingSchema(Schema):
    """Which seats have asked to end the game, and which seats would win if it ended now."""

    asked = fields.List(
        fields.Nested(EndRequestSchema),
        required=True,
        metadata={
            "description": "The seats that have asked to end the game, oldest first. The game ends once all players "
            "have asked for the same outcome. The list is cleared when a battle ends or somebody "
            "resigns."
        },
    )
    leaders = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "The seats that would win if the players agreed now to the outcome `leaders`."},
    )
