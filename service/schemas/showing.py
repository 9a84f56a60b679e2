"""Showing: schemas for showing cards to other seats."""

from marshmallow import Schema, fields, validate

from .common import MAX_CARDS, MAX_SEATS, seat_field
from .named import CARD_NAME, Named


class ShowingSchema(Schema):
    """The cards to show, and the seats that see them."""

    to = fields.List(
        seat_field(),
        required=True,
        validate=validate.Length(min=1, max=MAX_SEATS - 1),
        metadata={"description": "The seats that will see the cards. Name one or more of the other seats."},
    )
    cards = fields.List(
        Named(CARD_NAME),
        required=True,
        validate=validate.Length(min=1, max=MAX_CARDS),
        metadata={"description": "The cards from your hand. To show two cards of one kind, name the kind twice."},
    )


class ShownSchema(Schema):
    """Cards that another seat showed you. The seat held these cards at `version`, but may no longer hold them."""

    seat = fields.Integer(required=True, metadata={"description": "The seat that showed you the cards."})
    cards = fields.List(Named(CARD_NAME), required=True, metadata={"description": "The cards."})
    version = fields.Integer(
        required=True, metadata={"description": "The version of the game at which the seat held the cards."}
    )
