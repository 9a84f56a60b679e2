"""Queries: which games to list, and from where to read a game's events on."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate

from ..views import inbox
from ..views.feeds import NOW, START, is_cursor


def _wait() -> fields.Integer:
    return fields.Integer(
        load_default=0,
        validate=validate.Range(0, 60),
        metadata={"description": "Seconds to wait when nothing has happened since; for JSON only.", "example": 25},
    )


def _cursor(text: str) -> None:
    if text != NOW and not is_cursor(text):
        raise ValidationError("Must be next of an earlier answer.")


def _cursor_of_turns(text: str) -> None:
    if not inbox.is_cursor(text):
        raise ValidationError("Must be next of an earlier answer.")


class EditionQuerySchema(Schema):
    """Which revision of an edition."""

    revision = fields.Integer(
        validate=validate.Range(min=1),
        metadata={"description": "A game shows its `revision`; the newest if left out.", "example": 1},
    )


class GamesQuerySchema(Schema):
    """Which games to list."""

    status = fields.String(
        load_default="open",
        validate=validate.OneOf(["open", "running", "finished", "substitute", "mine"]),
        metadata={
            "description": "substitute: running games with a seat that anybody may take. mine: every game you sit "
            "in or own; needs your token.",
            "example": "open",
        },
    )
    cursor = fields.String(
        validate=validate.Length(max=200),
        metadata={
            "description": "`next` of the page before; the newest games if left out.",
            "example": "MTc5NTAwMDAwMDAwMCAxN2g4cTJ2NWMwbXprNHI5dGQ",
        },
    )
    limit = fields.Integer(
        load_default=20,
        validate=validate.Range(1, 100),
        metadata={"description": "How many games a page may show.", "example": 20},
    )


class EventsQuerySchema(Schema):
    """From where to read on, and how long to wait for more."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(0, 2**31),
        metadata={"description": "A version you have seen; `next` of the answer before.", "example": 7},
    )
    wait = _wait()


class FeedQuerySchema(Schema):
    """From where to read on in all my games, and how long to wait for more."""

    after = fields.String(
        load_default=START,
        validate=_cursor,
        metadata={
            "description": "`next` of the answer before, or the `id` of a commit; `now` for what is yet to happen.",
            "example": START,
        },
    )
    wait = _wait()


class TurnsQuerySchema(Schema):
    """Which turns I know of, and how long to wait for others."""

    after = fields.String(
        validate=_cursor_of_turns,
        metadata={
            "description": "`next` of the answer before: with `wait`, until when not to answer.",
            "example": "4f53cda18c2baa0c0354bb5f9a3ecbe5",
        },
    )
    wait = _wait()
