"""Editions: what is in the box and what its rules say."""

from marshmallow import Schema, fields

from .common import EDITION_KEYS


class SeatsSchema(Schema):
    """By how many an edition is played."""

    fewest = fields.Integer(required=True)
    most = fields.Integer(required=True)


class EditionSummarySchema(Schema):
    """An edition in a list."""

    key = fields.String(required=True, metadata={"enum": EDITION_KEYS})
    revision = fields.Integer(required=True, metadata={"description": "Counts changes of these rules."})
    title = fields.String(required=True)
    year = fields.Integer(required=True)
    publisher = fields.String(required=True)
    seats = fields.Nested(SeatsSchema, required=True)


class CardSchema(Schema):
    """A kind of card in an edition's deck."""

    card = fields.String(required=True)
    label = fields.String(required=True, metadata={"description": "What the edition prints on it."})
    count = fields.Integer(required=True)
    effect = fields.String(required=True, metadata={"description": "What it does, in our words."})


class PointSchema(Schema):
    """A point of the map, in pixels, x to the right and y down."""

    x = fields.Integer(required=True)
    y = fields.Integer(required=True)


class RegionSchema(Schema):
    """A region of the board."""

    key = fields.String(required=True)
    name = fields.String(required=True)
    city = fields.Nested(PointSchema, required=True)
    outline = fields.List(fields.Nested(PointSchema), required=True)
    neighbours = fields.List(fields.String(), required=True)


class BoardSchema(Schema):
    """The board, with what is needed to draw it."""

    key = fields.String(required=True)
    width = fields.Integer(required=True)
    height = fields.Integer(required=True)
    regions = fields.List(fields.Nested(RegionSchema), required=True)
    borders = fields.List(fields.List(fields.String()), required=True)


class OptionSchema(Schema):
    """A choice made when a game is opened."""

    key = fields.String(required=True)
    summary = fields.String(required=True)
    values = fields.List(fields.String(), metadata={"description": "The words it takes."})
    minimum = fields.Integer(metadata={"description": "The smallest number it takes."})
    maximum = fields.Integer(metadata={"description": "The largest number it takes."})
    default = fields.Raw(required=True, metadata={"type": ["string", "integer"]})
    house = fields.Boolean(required=True, metadata={"description": "Ours, and in no rulebook."})


class GoalSchema(Schema):
    """What wins, for one number of seats."""

    seats = fields.Integer(required=True)
    adjacent = fields.Integer(required=True, metadata={"description": "Regions that hang together."})
    total = fields.Integer(required=True, allow_none=True, metadata={"description": "Regions in all."})


class EditionSchema(EditionSummarySchema):
    """An edition."""

    sources = fields.List(fields.String(), required=True)
    hand_size = fields.Integer(required=True)
    cards_a_region = fields.Integer(required=True, metadata={"description": "Dealt for each region held."})
    deck = fields.List(fields.Nested(CardSchema), required=True)
    goals = fields.List(fields.Nested(GoalSchema), required=True)
    options = fields.List(fields.Nested(OptionSchema), required=True)
    board = fields.Nested(BoardSchema, required=True)
    clauses = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "For each refusal the number of the clause in the edition's rules document."},
    )


class EditionsSchema(Schema):
    """The editions, newest first."""

    editions = fields.List(fields.Nested(EditionSummarySchema), required=True)
