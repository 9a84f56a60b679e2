"""Schemas for hints: the moves that a bot recommends. In the code, a hint is called advice."""

from marshmallow import Schema, fields

from ..advice.asking import HINT_STATES
from .common import label_field
from .moves import MoveSchema
from .named import BOT_KEY, Named, NamedType

HINT_STATE = NamedType(
    "HintState",
    "thinking: the move is not known yet; ask again soon. ready: the hint has a move.",
    HINT_STATES,
    is_open=True,
)


class HintSchema(Schema):
    """A hint: the move that a bot would make in your seat. Only you can see it."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    seat = fields.Integer(required=True, metadata={"description": "Your seat."})
    version = fields.Integer(
        required=True, metadata={"description": "The version of the game when you first asked for this hint."}
    )
    state = Named(HINT_STATE, required=True, metadata={"description": "Whether the move is known."})
    move = fields.Nested(
        MoveSchema,
        required=True,
        allow_none=True,
        metadata={"description": "A legal move, which you can post unchanged. null: the move is not known yet."},
    )
    bot = Named(
        BOT_KEY, required=True, allow_none=True, metadata={"description": "The bot that chose the move, or null."}
    )
    label = label_field(allow_none=True)
