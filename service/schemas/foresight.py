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
    "Why the server cannot say what happens next. `draw`: cards are dealt or a lot is drawn next. "
    "`hidden-cards`: what happens next depends on cards that you do not see.",
    [DRAW, HIDDEN_CARDS],
    is_open=True,
)


class ForeseenPositionSchema(PositionSchema):
    """The position after the events that are certain to follow from the move.

    Cards that the caller cannot see are left out.
    """

    phase = Named(
        PHASE,
        required=True,
        allow_none=True,
        metadata={"description": "What the game will wait for next, or `null` if this is not certain."},
    )
    marker = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The seat that holds the battle marker. `null` if the next game of a match starts, "
            "because a lot then decides which seat gets the marker."
        },
    )


class ForeseenGameSchema(GameSchema):
    """The game after the events that are certain to follow from the move.

    Cards that the caller cannot see are left out.

    `version` is the version that the game would have after the move. `clock` and `changed_at` have their current
    values, because the server does not make the move. The seed is never shown.
    """

    position = fields.Nested(
        ForeseenPositionSchema,
        required=True,
        metadata={"description": "The position after the events that are certain to follow from the move."},
    )
    moves = fields.List(
        fields.Nested(MoveSchema),
        required=True,
        metadata={
            "description": "Your legal moves after this move, if it is certain that you move next. Otherwise, the "
            "list is empty."
        },
    )
    head = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "Always `null`, because the hash depends on the commit, and a dry run makes no commit."
        },
    )


class DryRunSchema(Schema):
    """The effects of a move that are certain, given what you can see. The server does not make the move."""

    made = fields.Boolean(
        required=True,
        validate=validate.Equal(False),
        metadata={"description": "Always `false`, because the server did not make the move."},
    )
    stops = Named(
        DRY_RUN_STOP,
        required=True,
        allow_none=True,
        metadata={"description": "Why some of the move's events are missing from `events`. `null` if none is missing."},
    )
    events = fields.List(
        fields.Nested(EventSchema),
        required=True,
        metadata={"description": "The events that are certain, in order, as you would see them."},
    )
    game = fields.Nested(
        ForeseenGameSchema,
        required=True,
        metadata={"description": "The game after the events that are certain to follow from the move."},
    )
