"""Queries: schemas for query parameters, such as filters, cursors and waiting times."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate

from engine import DEFAULT

from ..editions.sentences import LANGUAGES
from ..records.reading import LARGEST_NUMBER
from ..views import inbox
from ..views.feeds import NOW, START, is_cursor
from ..views.list_pages import KINDS, PACES
from .common import MAX_SEATS, matching
from .named import EDITION_KEY, Named
from .players import NAME


def wait_field() -> fields.Integer:
    """Return a field for the maximum number of seconds that a request waits."""
    return fields.Integer(
        load_default=0,
        validate=validate.Range(0, 60),
        metadata={
            "description": "The maximum number of seconds to wait if there is nothing new. Used only for responses "
            "in JSON.",
            "example": 25,
        },
    )


def _cursor(text: str) -> None:
    if text != NOW and not is_cursor(text):
        raise ValidationError("Must be the value of `next` from an earlier response.")


def _inbox_cursor(text: str) -> None:
    if not inbox.is_cursor(text):
        raise ValidationError("Must be the value of `next` from an earlier response.")


class EditionQuerySchema(Schema):
    """Which revision of an edition to return."""

    revision = fields.Integer(
        validate=validate.Range(min=1),
        metadata={
            "description": "The number of the revision, such as a game's `revision`. By default, you get the newest "
            "revision.",
            "example": 1,
        },
    )


class SentencesQuerySchema(EditionQuerySchema):
    """Which revision and language of the sentences to return."""

    language = fields.String(
        load_default=LANGUAGES[0],
        validate=validate.OneOf(LANGUAGES),
        metadata={
            "description": "The language of the sentences, as a language tag (RFC 5646).",
            "example": LANGUAGES[0],
        },
    )


class GameQuerySchema(Schema):
    """Which version of a game to return."""

    version = fields.Integer(
        validate=validate.Range(1, LARGEST_NUMBER),
        metadata={
            "description": "The version of the game to return, from 1. By default, you get the current version.",
            "example": 7,
        },
    )


class GamesQuerySchema(Schema):
    """Which games to list."""

    status = fields.String(
        load_default="open",
        validate=validate.OneOf(KINDS),
        metadata={
            "description": "Which games to list: a status, `substitute` or `mine`. `substitute`: "
            "running games with a free seat that anybody may take. `mine`: the games that you own or "
            "have a seat in, which requires your token.",
            "example": "open",
        },
    )
    cursor = fields.String(
        validate=validate.Length(max=200),
        metadata={
            "description": "The value of `next` on the previous page. By default, you get the first page.",
            "pattern": "^[A-Za-z0-9_-]+$",
            "example": "MTc5NTAwMDAwMDAwMCAxN2g4cTJ2NWMwbXprNHI5dGQ",
        },
    )
    limit = fields.Integer(
        load_default=20,
        validate=validate.Range(1, 100),
        metadata={"description": "The maximum number of games on the page.", "example": 20},
    )
    edition = Named(
        EDITION_KEY,
        metadata={"description": "List only games of this edition.", "example": DEFAULT},
    )
    seats = fields.Integer(
        validate=validate.Range(1, MAX_SEATS),
        metadata={"description": "List only games with this number of seats.", "example": 3},
    )
    pace = fields.String(
        validate=validate.OneOf(PACES),
        metadata={
            "description": "List only games of this pace. `none`: games without a clock. `live`: every turn has less "
            "than 12 hours. `correspondence`: a turn can have 12 hours or more.",
            "example": "correspondence",
        },
    )
    free_seat = fields.String(
        validate=validate.OneOf(["true"]),
        metadata={"description": "If `true`, list only games with a seat that you can take.", "example": "true"},
    )
    player = fields.String(
        validate=matching(NAME, "Must be the id or the name of a player."),
        metadata={
            "description": "The id or the name of a player. List only games in which this player has a seat. A "
            "value in the form of an id is always treated as an id.",
            "pattern": f"^{NAME}$",
            "example": "Caterina",
        },
    )


class OrdersQuerySchema(Schema):
    """Which page of standing orders to return."""

    cursor = fields.String(
        validate=validate.Length(max=200),
        metadata={
            "description": "The value of `next` on the previous page. By default, you get the first page.",
            "pattern": "^[A-Za-z0-9_-]+$",
            "example": "MTc5NTAwMDAwMDAwMCAxN2g4cTJ2NWMwbXprNHI5dGQ",
        },
    )


class MoveQuerySchema(Schema):
    """Whether to make the move or only report its effects."""

    dry_run = fields.String(
        load_default="false",
        validate=validate.OneOf(["true", "false"]),
        metadata={
            "description": "If `true`, the server does not make the move. The server responds with 200 and "
            "the effects that the move is certain to have, and ignores the Idempotency-Key.",
            "example": "false",
        },
    )


class EventsQuerySchema(Schema):
    """Where to start reading the events of a game, and how long to wait for more."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(0, 2**31),
        metadata={
            "description": "The version up to which you have seen the events, such as `next` in the previous response.",
            "example": 7,
        },
    )
    wait = wait_field()


class FeedQuerySchema(Schema):
    """Where to start reading the events of all the caller's games, and how long to wait for more."""

    after = fields.String(
        load_default=START,
        validate=_cursor,
        metadata={
            "description": "Where to start: `next` from the previous response, the `id` of a commit, or "
            "`now` to get only future events.",
            "pattern": "^[A-Za-z0-9_-]+$",
            "example": START,
        },
    )
    talk = fields.String(
        load_default="false",
        validate=validate.OneOf(["true", "false"]),
        metadata={"description": "If `true`, the feed also has the messages in your games.", "example": "false"},
    )
    invitations = fields.String(
        load_default="false",
        validate=validate.OneOf(["true", "false"]),
        metadata={
            "description": "If `true`, the feed also shows the invitations that you receive, and who declines your "
            "own invitations.",
            "example": "false",
        },
    )
    wait = wait_field()


class RecordQuerySchema(Schema):
    """Whether the record of a game includes the players' names."""

    names = fields.String(
        load_default="false",
        validate=validate.OneOf(["true", "false"]),
        metadata={"description": "If `true`, the record includes the current names of the players.", "example": "true"},
    )


class InboxQuerySchema(Schema):
    """The list of turns or invitations that the caller last saw, and how long to wait for a change."""

    after = fields.String(
        validate=_inbox_cursor,
        metadata={
            "description": "The value of `next` in the previous response. With `wait`, the server waits until the "
            "list has changed since that response.",
            "pattern": f"^{inbox.CURSOR.pattern}$",
            "example": "4f53cda18c2baa0c0354bb5f9a3ecbe5",
        },
    )
    wait = wait_field()
