"""Lines: schemas for trying other moves in a finished game."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from ..views.lines import MAX_MOVES
from .common import Whole
from .events import EventSchema
from .games import PositionSchema, ResultSchema, hexadecimal
from .moves import MoveSchema


class AskedLineSchema(Schema):
    """The moves to try, and the version of the game from which to try them."""

    version = Whole(
        required=True,
        validate=validate.Range(min=1),
        metadata={"description": "The version of the game after which the first move is made."},
    )
    seed = hexadecimal(
        32,
        32,
        "The seed for draws. The default is 32 zero bytes. With the game's own seed and moves, the draws are the "
        "same as in the game.",
        load_default="00" * 32,
    )
    moves = fields.List(
        fields.Nested(MoveSchema),
        required=True,
        validate=validate.Length(max=MAX_MOVES),
        metadata={"description": "The moves to try, in order. Each move is made by the seat whose turn it is."},
    )


class PlayedMoveSchema(Schema):
    """A move that was tried, and its effects."""

    seat = fields.Integer(required=True, metadata={"description": "The seat that made the move."})
    events = fields.List(
        fields.Nested(EventSchema),
        required=True,
        metadata={"description": "The events of the move, and the events that follow from it. All cards are shown."},
    )
    notation = fields.String(
        required=True, metadata={"description": "The position after the move, in one-line notation."}
    )


class PlayedLineSchema(Schema):
    """The moves that were tried, and the position after them. All cards are shown."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    version = fields.Integer(
        required=True, metadata={"description": "The version of the game after which the first move was made."}
    )
    seed = fields.String(required=True, metadata={"description": "The seed that was used for draws, in hexadecimal."})
    line = fields.List(
        fields.Nested(PlayedMoveSchema),
        required=True,
        metadata={"description": "The moves that were tried, each with its events."},
    )
    notation = fields.String(
        required=True, metadata={"description": "The position after the last move, in one-line notation."}
    )
    turn = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The seat to move, or `null` if the game is over."}
    )
    moves = fields.List(
        fields.Nested(MoveSchema), required=True, metadata={"description": "The legal moves of the seat to move."}
    )
    position = fields.Nested(
        PositionSchema, required=True, metadata={"description": "The position after the last move."}
    )
    result = fields.Nested(
        ResultSchema,
        required=True,
        allow_none=True,
        metadata={"description": "How the game ended, or `null` if it is not over after these moves."},
    )
