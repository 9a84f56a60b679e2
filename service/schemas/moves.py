"""Moves: schemas for the moves that a client posts. The `moves` of a game have the same form."""

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
    return seat_field(metadata={"description": "The number of your own seat, which you may leave out."})


class ChooseRegionSchema(Schema):
    """Choose the region of the next battle."""

    type = _type("choose-region")
    seat = _own_seat()
    region = Named(REGION_NAME, required=True, metadata={"description": "The region of the next battle."})


class DeclineRegionSchema(Schema):
    """Decline to choose a region, if the edition allows it. If you decline, the battle marker passes to the left."""

    type = _type("decline-region")
    seat = _own_seat()


class PlayCardSchema(Schema):
    """Lay one card."""

    type = _type("play-card")
    seat = _own_seat()
    card = Named(CARD_NAME, required=True, metadata={"description": "The card to lay."})
    take = Named(
        CARD_NAME, metadata={"description": "The mercenary that a scarecrow takes back. Used only with a scarecrow."}
    )
    take_from = seat_field(
        metadata={
            "description": "The seat from whose row a scarecrow takes the mercenary. The default is your own seat. "
            "Used only with a scarecrow."
        }
    )
    favor = Named(
        REGION_NAME,
        metadata={
            "description": "The region to which a bishop moves the favor marker. Used only with a bishop "
            "that moves the marker."
        },
    )
    turn_up = Named(
        CARD_NAME,
        metadata={"description": "Which of your two face-down cards to turn up, if you lay a second card face down."},
    )


class PassMoveSchema(Schema):
    """Pass instead of laying a card."""

    type = _type("pass")
    seat = _own_seat()
    turn_up = Named(
        CARD_NAME,
        metadata={
            "description": "The face-down card to turn up, if the edition allows it. If omitted, your card stays "
            "face down."
        },
    )


class KeepHandSchema(Schema):
    """Keep your hand after a battle."""

    type = _type("keep-hand")
    seat = _own_seat()


class DiscardHandSchema(Schema):
    """Discard your whole hand after a battle."""

    type = _type("discard-hand")
    seat = _own_seat()


class KeepCardsSchema(Schema):
    """Choose which cards to keep at the end of a round, if yours is the last seat with cards."""

    type = _type("keep-cards")
    seat = _own_seat()
    keep = fields.List(
        Named(
            CARD_NAME,
        ),
        required=True,
        validate=validate.Length(max=MAX_CARDS),
        metadata={"description": "The cards to keep. You discard all others."},
    )


class DrawCardsSchema(Schema):
    """Draw cards after a battle, or draw none."""

    type = _type("draw-cards")
    seat = _own_seat()
    number = Whole(
        required=True,
        validate=validate.Range(0, MAX_CARDS),
        metadata={"description": "The number of cards to draw, which may be 0."},
    )


class MoveSchema(OneOf):
    """A move."""

    repeats: ClassVar[bool] = True
    """Whether `api.bodies` caches loaded bodies. Caching is safe and useful here, because a move does not identify its
    sender, and the same moves are sent often."""
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
