"""Foresight: the response to a dry run of a move."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from engine.foresight import DRAW, HIDDEN_CARDS

from .events import EventSchema
from .games import GameSchema, PositionSchema
from .moves import MoveSchema
from .named import PHASE, Named, NamedType

DRY_RUN_STOP = NamedType(
    "DryRunStop",
    "Why the list of certain events ends. draw: a lot or a deal comes next. hidden-cards: what happens next depends "
    "on cards that you do not see.",
    [DRAW, HIDDEN_CARDS],
    is_open=True,
)


class ForeseenPositionSchema(PositionSchema):
    """The position after the certain events, as the caller may see it."""

    phase = Named(
        PHASE,
        required=True,
        allow_none=True,
        metadata={"description": "What the game will wait for next. null: this is not certain."},
    )
    marker = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The seat that holds the battle marker. null: the next game of the match starts, and a lot "
            "will decide which seat gets the marker."
        },
    )


class ForeseenGameSchema(GameSchema):
    """The game after the certain events, as the caller may see it.

    `version` is the version that the game would have after the move. `clock` and `changed_at` are the current values,
    because no move was made. The seed is never shown.
    """

    position = fields.Nested(
        ForeseenPositionSchema, required=True, metadata={"description": "The position after the certain events."}
    )
    moves = fields.List(
        fields.Nested(MoveSchema),
        required=True,
        metadata={
            "description": "Your legal moves after the move if it is certain that you move next; otherwise empty."
        },
    )
    head = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Always null: the head depends on the commit, and a dry run makes no commit."},
    )


class DryRunSchema(Schema):
    """The certain effects of a move, as far as you can know them. The server does not make the move."""

    made = fields.Boolean(
        required=True, validate=validate.Equal(False), metadata={"description": "Always false: nothing has changed."}
    )
    stops = Named(
        DRY_RUN_STOP,
        required=True,
        allow_none=True,
        metadata={"description": "Why the list of events ends. null: the list contains all events of the move."},
    )
    events = fields.List(
        fields.Nested(EventSchema),
        required=True,
        metadata={"description": "The certain events of the game, in order, as you would see them."},
    )
    game = fields.Nested(
        ForeseenGameSchema, required=True, metadata={"description": "The game after the certain events."}
    )
