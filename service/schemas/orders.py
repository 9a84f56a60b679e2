"""Standing orders: schemas for the orders that a player gives, and for the player's active orders."""

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
"""An upper bound on strengths in orders. No row can be that strong."""
AFTER_BATTLE_ORDER = NamedType(
    "AfterBattleOrder",
    "What to do with your hand after a battle. `keep`: keep your hand. `discard`: discard your hand if the rules "
    "allow it, and keep it otherwise.",
    AFTER_BATTLE,
)


class PassOrderSchema(Schema):
    """Pass for the rest of this battle."""

    type = fields.String(
        required=True, validate=validate.OneOf(["pass"]), metadata={"description": "The type of the order."}
    )


class PassIfExceedsSchema(Schema):
    """On your next turn in this battle, pass or lay a card, depending on the strength of the strongest row."""

    type = fields.String(
        required=True, validate=validate.OneOf(["pass-if-exceeds"]), metadata={"description": "The type of the order."}
    )
    strength = Whole(
        required=True,
        validate=validate.Range(0, MAX_STRENGTH),
        metadata={"description": "The strength that the strongest row must exceed for you to pass."},
    )
    otherwise = fields.Nested(
        PlayCardSchema,
        required=True,
        metadata={"description": "The card to lay if the strongest row does not exceed `strength`."},
    )


class LayUntilLeadSchema(CheckedSchema):
    """On each of your turns in this battle, lay the next of these cards unless you lead."""

    type = fields.String(
        required=True, validate=validate.OneOf(["lay-until-lead"]), metadata={"description": "The type of the order."}
    )
    cards = fields.List(
        fields.Nested(PlayCardSchema),
        required=True,
        validate=validate.Length(max=MAX_CARDS),
        metadata={"description": "The cards to lay, in order. Empty once all cards have been laid."},
    )
    then = fields.String(
        load_default=ASK,
        validate=validate.OneOf(THEN),
        metadata={
            "description": "What to do while you lead. `ask`: wait for you to move. `pass`: pass. The default is `ask`."
        },
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Reject an order that would never make a move. Raises: ValidationError."""
        if not parts["cards"] and parts["then"] == ASK:
            raise ValidationError({"cards": ["Must list at least one card unless `then` is `pass`."]})


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
    """Your new standing orders, which replace all earlier orders."""

    after_battle = Named(
        AFTER_BATTLE_ORDER,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "What to do with your hand after each battle, until you withdraw the order. If omitted "
            "or `null`, you give no such order. Standing orders never make the moves `keep-cards` and "
            "`draw-cards`, so the game waits for you to make them."
        },
    )
    battle = fields.Nested(
        BattleOrderSchema,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The order for the current battle. The order ends when the battle ends. If omitted or "
            "`null`, you give no such order."
        },
    )


class OrderEntrySchema(Schema):
    """An entry in the history of your orders."""

    version = fields.Integer(
        required=True,
        metadata={"description": "The version of the game after the order's move, or when the order was cancelled."},
    )
    order = Named(
        ORDER_TYPE,
        required=True,
        allow_none=True,
        metadata={"description": "The order that the entry is about, or `null` if it is about all orders."},
    )
    happened = fields.String(
        required=True,
        validate=validate.OneOf(["moved", "cancelled"]),
        metadata={
            "description": "What happened. `moved`: the order made a move. `cancelled`: the order is no longer active."
        },
    )
    move = fields.Nested(
        MoveSchema, metadata={"description": "The move that the order made. Present only if the order made a move."}
    )
    reason = Named(
        ORDER_END, metadata={"description": "Why the order was cancelled. Present only if the order was cancelled."}
    )


class OrdersSchema(OrdersChoiceSchema):
    """The standing orders of your seat. Nobody else can see whether you have standing orders."""

    seat = fields.Integer(required=True, metadata={"description": "Your seat."})
    version = fields.Integer(
        required=True,
        metadata={"description": "The version of your orders. The version increases with every change to your orders."},
    )
    after_battle = Named(
        AFTER_BATTLE_ORDER,
        required=True,
        allow_none=True,
        metadata={
            "description": "What to do with your hand after each battle, or `null` if you have given no such order."
        },
    )
    battle = fields.Nested(
        BattleOrderSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The order for the current battle, or `null` if you have given no such order."},
    )
    history = fields.List(
        fields.Nested(OrderEntrySchema),
        required=True,
        metadata={"description": "What happened to your orders, oldest first. The list has at most 50 entries."},
    )


class OrdersInGameSchema(OrdersSchema):
    """Your standing orders in a game."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})


class OrdersPageSchema(Schema):
    """A page of your standing orders."""

    orders = fields.List(
        fields.Nested(OrdersInGameSchema),
        required=True,
        metadata={"description": "Your standing orders in each game. The most recently changed game comes first."},
    )
    next = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The value to send as `cursor` to get the next page, or `null` if this is the last page."
        },
    )
