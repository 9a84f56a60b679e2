"""Schemas for ending a game by consent."""

from marshmallow import Schema, fields

from ..games.events import OUTCOMES
from .named import Named, NamedType

END_OUTCOME = NamedType(
    "EndOutcome",
    "How players agree to end a game. none: without a result, as if it had been cancelled. leaders: as it stands, so "
    "that the seats that lead win.",
    OUTCOMES,
)


class EndChoiceSchema(Schema):
    """How a player wants a game to end."""

    outcome = Named(END_OUTCOME, required=True, metadata={"description": "How you want the game to end."})


class EndRequestSchema(Schema):
    """A seat that has asked to end the game, or has agreed to end it."""

    seat = fields.Integer(required=True, metadata={"description": "The seat."})
    outcome = Named(END_OUTCOME, required=True, metadata={"description": "How the seat wants the game to end."})


class EndingSchema(Schema):
    """What the players have agreed to, and who would win if the game ended as it stands."""

    asked = fields.List(
        fields.Nested(EndRequestSchema),
        required=True,
        metadata={
            "description": "The seats that have asked to end the game since a battle ended or somebody resigned, "
            "oldest first. Once all players have asked for the same outcome, the game ends."
        },
    )
    leaders = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "The seats that would win if the players agreed now to end the game as it stands."},
    )
