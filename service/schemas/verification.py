"""Verification: schemas for verifying records."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from .named import BOT_KEY, EDITION_KEY, Named

HEADS = "([1-9][0-9]{0,8}:)?[0-9a-f]{64}"
MOST_HEADS = 20


class VerificationQuerySchema(Schema):
    """The `head` values to compare with the record."""

    head = fields.String(
        validate=validate.Length(max=MOST_HEADS * 75),
        metadata={
            "description": "The `head` values that you kept while the game was running, separated by commas. If you "
            "know the version of the game that a value belongs to, write `VERSION:HEAD`.",
            "example": "7:8b2c5d0f17c2bf45b4a8a0d96a3fd1f7a2f3e2a4d1c0b9e8f7a6b5c4d3e2f1a0",
        },
    )


class FindingSchema(Schema):
    """The first error in a record."""

    code = fields.String(required=True, metadata={"description": "The kind of error."})
    seq = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The number of the commit that contains the error, or `null` if the error is in the "
            "record's header."
        },
    )
    event = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The index of the event in the commit, from 0, or `null` if no single event is wrong."
        },
    )
    detail = fields.String(required=True, metadata={"description": "What was expected and what was found."})


def _count(description: str) -> fields.Integer:
    return fields.Integer(required=True, metadata={"description": description})


class CheckedSchema(Schema):
    """How much of a record the server checked."""

    commits = _count("The number of commits that are correct.")
    events = _count("The number of events that the server recomputed.")
    moves = _count("The number of commits with moves, starts or resignations.")
    draws = _count("The number of draws (lots and deals) that the server recomputed.")
    bots = _count("The number of bots' choices that the server repeated.")
    clocks = _count("The number of clock events that the server checked.")


class UncheckedSchema(Schema):
    """A bot whose choices the server did not check, because the bot searches or its revision is missing."""

    bot = Named(BOT_KEY, required=True, metadata={"description": "The key of the bot."})
    revision = fields.Integer(required=True, metadata={"description": "The revision of the bot."})
    moves = _count("The number of moves by the bot. The server checked only that these moves are legal.")


class VerificationSchema(Schema):
    """The result of verifying a record."""

    valid = fields.Boolean(required=True, metadata={"description": "Whether the record has no errors."})
    game = fields.String(required=True, metadata={"description": "The id of the game, according to the record."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition, according to the record."})
    revision = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The revision of the edition, according to the record, or `null` if the game did not start."
        },
    )
    version = fields.Integer(
        required=True, metadata={"description": "The version of the game, according to the record."}
    )
    head = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The hash that covers all commits, according to the record."},
    )
    finding = fields.Nested(
        FindingSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The first error, or `null` if there is none."},
    )
    checked = fields.Nested(
        CheckedSchema, required=True, metadata={"description": "How much of the record the server checked."}
    )
    unchecked = fields.List(
        fields.Nested(UncheckedSchema),
        required=True,
        metadata={
            "description": "The bots whose choices the server did not check, because they search or the server does "
            "not have their revision."
        },
    )
