"""Standing orders: the orders that a player can give, and the orders that are active."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate

from ..orders.decisions import FAILED
from ..orders.storing import WITHDRAWN
from ..orders.values import AFTER_BATTLE, ASK, THEN
from .common import MAX_CARDS, CheckedSchema, Whole
from .moves import MoveSchema, PlayCardSchema
from .named import Named, NamedType
from .one_of import OneOf

MAX_STRENGTH = 1_000
"""A number above the strength of any row."""
AFTER_BATTLE_ORDER = NamedType(
    "AfterBattleOrder",
    "What to do with your hand after a battle. keep: keep your hand. discard: discard your hand if the rules allow, "
    "otherwise keep it.",
    AFTER_BATTLE,
)


class PassOrderSchema(Schema):
    """Pass for the rest of this battle."""

    type = fields.String(
        required=True, validate=validate.OneOf(["pass"]), metadata={"description": "The type of the order."}
    )


class PassIfExceedsSchema(Schema):
    """On your next turn in this battle: pass if the strongest row exceeds a strength, otherwise lay a card."""

    type = fields.String(
        required=True, validate=validate.OneOf(["pass-if-exceeds"]), metadata={"description": "The type of the order."}
    )
    strength = Whole(
        required=True,
        validate=validate.Range(0, MAX_STRENGTH),
        metadata={"description": "You pass if the strongest row exceeds this strength."},
    )
    otherwise = fields.Nested(
        PlayCardSchema,
        required=True,
        metadata={"description": "The card to lay if the strongest row does not exceed `strength`."},
    )


class LayUntilLeadSchema(CheckedSchema):
    """On each of your turns in this battle: lay the next of these cards, unless you lead."""

    type = fields.String(
        required=True, validate=validate.OneOf(["lay-until-lead"]), metadata={"description": "The type of the order."}
    )
    cards = fields.List(
        fields.Nested(PlayCardSchema),
        required=True,
        validate=validate.Length(max=MAX_CARDS),
        metadata={"description": "The cards to lay, in order. Empty: all cards have been laid."},
    )
    then = fields.String(
        load_default=ASK,
        validate=validate.OneOf(THEN),
        metadata={
            "description": "What to do while you lead. ask: wait for your own move. pass: pass. If left out, `ask`."
        },
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Refuse an order that would never make a move."""
        if not parts["cards"] and parts["then"] == ASK:
            raise ValidationError({"cards": ["Must list at least one card unless then is pass."]})


class BattleOrderSchema(OneOf):
    """An order for the current battle."""

    branches: ClassVar[Mapping[str, type[Schema]]] = {
        "pass": PassOrderSchema,
        "pass-if-exceeds": PassIfExceedsSchema,
        "lay-until-lead": LayUntilLeadSchema,
    }


ORDER_TYPE = NamedType("OrderType", "A type of standing order.", ["after-battle", *BattleOrderSchema.branches])
ORDER_END = NamedType("OrderEnd", "Why a standing order was cancelled.", [*FAILED, *WITHDRAWN], is_open=True)


class OrdersChoiceSchema(Schema):
    """All orders that are active from now on. An order that is left out or null is not active."""

    after_battle = Named(
        AFTER_BATTLE_ORDER,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "What to do with your hand after each battle, until you withdraw the order. discard: "
            "discard your hand if the rules allow, otherwise keep it. `keep-cards` and `draw-cards` always wait for "
            "your own move. null or left out: no such order."
        },
    )
    battle = fields.Nested(
        BattleOrderSchema,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The order for the current battle. The order ends with that battle. null or left out: no "
            "such order."
        },
    )


class OrderEntrySchema(Schema):
    """An entry of the history: what happened to an order."""

    version = fields.Integer(
        required=True,
        metadata={"description": "The version of the game after the move, or when the order was cancelled."},
    )
    order = Named(
        ORDER_TYPE,
        required=True,
        allow_none=True,
        metadata={"description": "The order that the entry is about. null: all orders."},
    )
    happened = fields.String(
        required=True,
        validate=validate.OneOf(["moved", "cancelled"]),
        metadata={"description": "moved: the order made a move. cancelled: the order is no longer active."},
    )
    move = fields.Nested(MoveSchema, metadata={"description": "The move that the order made, if it made one."})
    reason = Named(ORDER_END, metadata={"description": "Why the order was cancelled, if it was."})


class OrdersSchema(OrdersChoiceSchema):
    """The standing orders of your seat. Nobody else can see whether you have standing orders."""

    seat = fields.Integer(required=True, metadata={"description": "Your seat."})
    version = fields.Integer(
        required=True, metadata={"description": "The number of times that your orders have changed."}
    )
    after_battle = Named(
        AFTER_BATTLE_ORDER,
        required=True,
        allow_none=True,
        metadata={"description": "What to do with your hand after each battle. null: no such order."},
    )
    battle = fields.Nested(
        BattleOrderSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The order for the current battle. null: no such order."},
    )
    history = fields.List(
        fields.Nested(OrderEntrySchema),
        required=True,
        metadata={"description": "What happened to your orders, oldest first; at most 50 entries."},
    )


class OrdersInGameSchema(OrdersSchema):
    """Your standing orders in a game."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})


class OrdersPageSchema(Schema):
    """A page of your standing orders."""

    orders = fields.List(
        fields.Nested(OrdersInGameSchema),
        required=True,
        metadata={"description": "Your standing orders, first those in the game that changed last."},
    )
    next = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Send `next` as `cursor` to get the next page. null: this is the last page."},
    )
