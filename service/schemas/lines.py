"""Lines: a request to play other moves in a finished game, and the response."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from ..views.lines import MAX_MOVES
from .common import Whole
from .events import EventSchema
from .games import PositionSchema, ResultSchema, hexadecimal
from .moves import MoveSchema


class AskedLineSchema(Schema):
    """Where a line begins, and its moves."""

    version = Whole(
        required=True,
        validate=validate.Range(min=1),
        metadata={"description": "The version of the game from which the line begins."},
    )
    seed = hexadecimal(
        32,
        32,
        "The seed for the draws in the line. If left out, the seed is 32 zero bytes. With the game's own seed and "
        "moves, the line repeats the game.",
        load_default="00" * 32,
    )
    moves = fields.List(
        fields.Nested(MoveSchema),
        required=True,
        validate=validate.Length(max=MAX_MOVES),
        metadata={"description": "The moves, each made by the seat whose turn it is at that point."},
    )


class PlayedMoveSchema(Schema):
    """A move of a line."""

    seat = fields.Integer(required=True, metadata={"description": "The seat that made the move."})
    events = fields.List(
        fields.Nested(EventSchema),
        required=True,
        metadata={"description": "The events of the move and of everything that follows from it, with all cards."},
    )
    notation = fields.String(
        required=True, metadata={"description": "The position after the move, in one line of text."}
    )


class PlayedLineSchema(Schema):
    """The moves of a line with their events, and the position after them. All cards are shown."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    version = fields.Integer(required=True, metadata={"description": "The version from which the line began."})
    seed = fields.String(required=True, metadata={"description": "The seed of the draws, in hexadecimal."})
    line = fields.List(
        fields.Nested(PlayedMoveSchema), required=True, metadata={"description": "The moves, each with its events."}
    )
    notation = fields.String(
        required=True, metadata={"description": "The position after the last move, in one line of text."}
    )
    turn = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The seat to move. null: the game is over."}
    )
    moves = fields.List(
        fields.Nested(MoveSchema), required=True, metadata={"description": "The legal moves of that seat."}
    )
    position = fields.Nested(
        PositionSchema, required=True, metadata={"description": "The position after the last move."}
    )
    result = fields.Nested(
        ResultSchema,
        required=True,
        allow_none=True,
        metadata={"description": "How the game ended. null: the game is not over."},
    )
