"""Schemas for verifying records."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from .named import BOT_KEY, EDITION_KEY, Named

HEADS = "([1-9][0-9]{0,8}:)?[0-9a-f]{64}"
MOST_HEADS = 20


class VerificationQuerySchema(Schema):
    """The heads to compare the record with."""

    head = fields.String(
        validate=validate.Length(max=MOST_HEADS * 75),
        metadata={
            "description": "Heads that you kept, separated by commas. Each of these is the `head` of a view. If you "
            "know the view's version, put the version and a colon before the head.",
            "example": "7:8b2c5d0f17c2bf45b4a8a0d96a3fd1f7a2f3e2a4d1c0b9e8f7a6b5c4d3e2f1a0",
        },
    )


class FindingSchema(Schema):
    """The first error in a record."""

    code = fields.String(required=True, metadata={"description": "The kind of finding."})
    seq = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The number of the commit. null: the header of the record is wrong."},
    )
    event = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The index of the event in the commit, from 0. null: no single event is wrong."},
    )
    detail = fields.String(required=True, metadata={"description": "What was expected and what was found."})


def _count(description: str) -> fields.Integer:
    return fields.Integer(required=True, metadata={"description": description})


class CheckedSchema(Schema):
    """How much of a record was checked."""

    commits = _count("The number of commits without a finding.")
    events = _count("The number of events that were computed again.")
    moves = _count("The number of commits with game events: moves, starts and resignations.")
    draws = _count("The number of lots and deals that were drawn again.")
    bots = _count("The number of bots' choices that were repeated.")
    clocks = _count("The number of clock events that were checked.")


class UncheckedSchema(Schema):
    """A bot whose choices were not repeated, because it searches, or because this server lacks its revision."""

    bot = Named(BOT_KEY, required=True, metadata={"description": "The key of the bot."})
    revision = fields.Integer(required=True, metadata={"description": "The bot's revision."})
    moves = _count("The number of this bot's moves. These moves are legal, but may not be the bot's choices.")


class VerificationSchema(Schema):
    """The report on a record."""

    valid = fields.Boolean(required=True, metadata={"description": "Whether the check found no error in the record."})
    game = fields.String(required=True, metadata={"description": "The id of the game, as the record states it."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition, as the record states it."})
    revision = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The revision of the edition, as the record states it. null: the game did not start."},
    )
    version = fields.Integer(required=True, metadata={"description": "The version, as the record states it."})
    head = fields.String(
        required=True, allow_none=True, metadata={"description": "The head of the chain, as the record states it."}
    )
    finding = fields.Nested(
        FindingSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The first error. null: there is none."},
    )
    checked = fields.Nested(CheckedSchema, required=True, metadata={"description": "How much was checked."})
    unchecked = fields.List(
        fields.Nested(UncheckedSchema),
        required=True,
        metadata={
            "description": "The bots whose choices were not repeated: they search, or this server lacks their revision."
        },
    )
