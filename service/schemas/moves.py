"""Moves, as a client posts them. A game lists its `moves` in the same shape, so a client can post them unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from marshmallow import Schema, fields, validate

from .common import MAX_CARDS, Whole, seat_field
from .named import CARD_NAME, REGION_NAME, Named
from .one_of import OneOf


def _type(name: str) -> fields.String:
    description = {"description": "The type of the move."}
    return fields.String(required=True, validate=validate.OneOf([name]), metadata=description)


def _own_seat() -> fields.Integer:
    return seat_field(metadata={"description": "Your own seat. You may leave it out."})


class ChooseRegionSchema(Schema):
    """Choose the region of the next battle."""

    type = _type("choose-region")
    seat = _own_seat()
    region = Named(REGION_NAME, required=True, metadata={"description": "The region of the next battle."})


class DeclineRegionSchema(Schema):
    """Choose no region, if the edition allows it. The battle marker then goes to the left."""

    type = _type("decline-region")
    seat = _own_seat()


class PlayCardSchema(Schema):
    """Lay one card."""

    type = _type("play-card")
    seat = _own_seat()
    card = Named(CARD_NAME, required=True, metadata={"description": "The card to lay."})
    take = Named(CARD_NAME, metadata={"description": "With a scarecrow: the mercenary to take back."})
    take_from = seat_field(
        metadata={
            "description": "With a scarecrow: the seat from whose row to take the mercenary. If left out, your own "
            "seat."
        }
    )
    favor = Named(
        REGION_NAME, metadata={"description": "With a bishop that moves the favor marker: the region to move it to."}
    )
    turn_up = Named(
        CARD_NAME,
        metadata={"description": "If you lay a card face down beside another card: which of the two cards to turn up."},
    )


class PassMoveSchema(Schema):
    """Pass: lay no card."""

    type = _type("pass")
    seat = _own_seat()
    turn_up = Named(
        CARD_NAME,
        metadata={
            "description": "The face-down card that you turn up, if the edition allows it. If left out, your card "
            "stays face down."
        },
    )


class KeepHandSchema(Schema):
    """After a battle: keep your hand."""

    type = _type("keep-hand")
    seat = _own_seat()


class DiscardHandSchema(Schema):
    """After a battle: discard your whole hand."""

    type = _type("discard-hand")
    seat = _own_seat()


class KeepCardsSchema(Schema):
    """At the end of a round, as the last seat with cards: choose the cards that you keep."""

    type = _type("keep-cards")
    seat = _own_seat()
    keep = fields.List(
        Named(
            CARD_NAME,
        ),
        required=True,
        validate=validate.Length(max=MAX_CARDS),
        metadata={"description": "The cards to keep. You discard the others."},
    )


class DrawCardsSchema(Schema):
    """After a battle: draw cards, or none."""

    type = _type("draw-cards")
    seat = _own_seat()
    number = Whole(
        required=True,
        validate=validate.Range(0, MAX_CARDS),
        metadata={"description": "How many cards to draw. 0: none."},
    )


class MoveSchema(OneOf):
    """A move."""

    repeats: ClassVar[bool] = True
    """The same few bodies arrive often, and do not identify a sender, so their loaded form is cached (`api.bodies`)."""
    branches: ClassVar[Mapping[str, type[Schema]]] = {
        "choose-region": ChooseRegionSchema,
        "decline-region": DeclineRegionSchema,
        "play-card": PlayCardSchema,
        "pass": PassMoveSchema,
        "keep-hand": KeepHandSchema,
        "discard-hand": DiscardHandSchema,
        "keep-cards": KeepCardsSchema,
        "draw-cards": DrawCardsSchema,
    }
