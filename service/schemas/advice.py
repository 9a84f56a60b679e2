"""Hints: schemas for the moves that a bot recommends. In the code, hints are called advice."""

from marshmallow import Schema, fields

from ..advice.asking import HINT_STATES
from .common import label_field
from .moves import MoveSchema
from .named import BOT_KEY, Named, NamedType

HINT_STATE = NamedType(
    "HintState",
    "`thinking`: the bot has not chosen a move yet, so ask again soon. `ready`: the hint has a move.",
    HINT_STATES,
    is_open=True,
)


class HintSchema(Schema):
    """A hint: the move that a bot would make in your seat. Only you can see it."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    seat = fields.Integer(required=True, metadata={"description": "Your seat."})
    version = fields.Integer(
        required=True, metadata={"description": "The version of the game when you asked for the hint."}
    )
    state = Named(HINT_STATE, required=True, metadata={"description": "Whether the hint has a move."})
    move = fields.Nested(
        MoveSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "A legal move, which you can post unchanged. `null` if the bot has not chosen a move yet."
        },
    )
    bot = Named(
        BOT_KEY,
        required=True,
        allow_none=True,
        metadata={"description": "The bot that chose the move, or `null` if no move has been chosen yet."},
    )
    label = label_field(allow_none=True)
