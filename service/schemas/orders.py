"""Standing orders: what a player asks for, and what stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate

from ..orders.decisions import FAILED
from ..orders.storing import WITHDRAWN
from ..orders.values import AFTER_BATTLE, ASK, THEN
from .common import MAX_CARDS, CheckedSchema
from .moves import MoveSchema, PlayCardSchema
from .one_of import OneOf

STRONGEST = 1_000
"""More than any row is worth."""


class PassOrderSchema(Schema):
    """Pass for the rest of this battle."""

    type = fields.String(required=True, validate=validate.OneOf(["pass"]))


class PassIfExceedsSchema(Schema):
    """At your next turn in this battle: pass if the strongest row of all exceeds a strength, else lay a card."""

    type = fields.String(required=True, validate=validate.OneOf(["pass-if-exceeds"]))
    strength = fields.Integer(required=True, strict=True, validate=validate.Range(0, STRONGEST))
    otherwise = fields.Nested(PlayCardSchema, required=True, metadata={"description": "What is laid otherwise."})


class LayUntilLeadSchema(CheckedSchema):
    """At each of your turns in this battle at which you do not lead: lay the next of these cards."""

    type = fields.String(required=True, validate=validate.OneOf(["lay-until-lead"]))
    cards = fields.List(
        fields.Nested(PlayCardSchema),
        required=True,
        validate=validate.Length(max=MAX_CARDS),
        metadata={"description": "In order. Empty: all have been laid."},
    )
    then = fields.String(
        load_default=ASK,
        validate=validate.OneOf(THEN),
        metadata={"description": "While your row alone is the strongest. ask: you are asked. pass: you pass."},
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Refuse an order that would never move."""
        if not parts["cards"] and parts["then"] == ASK:
            raise ValidationError({"cards": ["Must list at least one card unless then is pass."]})


class BattleOrderSchema(OneOf):
    """An order for the battle that goes on."""

    branches: ClassVar[Mapping[str, type[Schema]]] = {
        "pass": PassOrderSchema,
        "pass-if-exceeds": PassIfExceedsSchema,
        "lay-until-lead": LayUntilLeadSchema,
    }


class OrdersChoiceSchema(Schema):
    """All that is to stand from now on; what is left out or null does not."""

    after_battle = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.OneOf(AFTER_BATTLE),
        metadata={
            "description": "The answer after each battle, until it is withdrawn. discard: as soon as the rules allow, "
            "else keep. Which cards to keep and how many to draw you are asked all the same."
        },
    )
    battle = fields.Nested(
        BattleOrderSchema,
        load_default=None,
        allow_none=True,
        metadata={"description": "For the battle that goes on; it ends with it."},
    )


class OrderEntrySchema(Schema):
    """What has become of an order."""

    version = fields.Integer(
        required=True, metadata={"description": "The game's, after the move or as it was noticed."}
    )
    order = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(["after-battle", *BattleOrderSchema.branches]),
        metadata={"description": "null: all that stood."},
    )
    happened = fields.String(required=True, validate=validate.OneOf(["moved", "cancelled"]))
    move = fields.Nested(MoveSchema, metadata={"description": "Where it has moved."})
    reason = fields.String(
        validate=validate.OneOf([*FAILED, *WITHDRAWN]), metadata={"description": "Where it was cancelled."}
    )


class OrdersSchema(OrdersChoiceSchema):
    """The standing orders of your seat. Nobody else is told that there are any."""

    seat = fields.Integer(required=True)
    version = fields.Integer(required=True, metadata={"description": "How often they have changed."})
    after_battle = fields.String(required=True, allow_none=True, validate=validate.OneOf(AFTER_BATTLE))
    battle = fields.Nested(BattleOrderSchema, required=True, allow_none=True)
    history = fields.List(
        fields.Nested(OrderEntrySchema),
        required=True,
        metadata={"description": "What has become of them, the last entry last; fifty at most."},
    )
