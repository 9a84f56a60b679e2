"""Schemas for showing cards to other seats."""

from marshmallow import Schema, fields, validate

from .common import MAX_CARDS, MAX_SEATS, seat_field
from .named import CARD_NAME, Named


class ShowingSchema(Schema):
    """The cards to show, and the seats that see them."""

    to = fields.List(
        seat_field(),
        required=True,
        validate=validate.Length(min=1, max=MAX_SEATS - 1),
        metadata={"description": "The seats that see the cards: one or more of the other seats."},
    )
    cards = fields.List(
        Named(CARD_NAME),
        required=True,
        validate=validate.Length(min=1, max=MAX_CARDS),
        metadata={"description": "Cards of your hand. Name a kind twice to show two cards of it."},
    )


class ShownSchema(Schema):
    """Cards that another seat showed you. The seat held them at that version, but need not hold them any more."""

    seat = fields.Integer(required=True, metadata={"description": "The seat that showed you the cards."})
    cards = fields.List(Named(CARD_NAME), required=True, metadata={"description": "The cards."})
    version = fields.Integer(
        required=True, metadata={"description": "The version of the game at which the seat held the cards."}
    )
