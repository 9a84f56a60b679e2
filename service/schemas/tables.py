"""Tables: schemas for titles, links and join codes."""

from __future__ import annotations

from marshmallow import Schema, fields

from ..accounts.codes import code_pattern
from ..tables.links import JOIN_GROUPS
from .common import Flag, Title, milliseconds


class LinkSchema(Schema):
    """The link of a private game."""

    secret = fields.String(
        required=True,
        metadata={
            "description": "Send this secret in the header `Game-Link` to see and join the game.",
            "pattern": "^[A-Za-z0-9_-]{22}$",
            "example": "0hXPaBzLOy3wq2uQd2pRkA",
        },
    )
    url = fields.String(
        required=True,
        metadata={"description": "The path of the game on the board, with the secret in the fragment."},
    )


class TableSchema(Schema):
    """What is stored beside a game's log."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    title = Title(required=True, allow_none=True, metadata={"description": "The game's title. null: no title."})
    private = Flag(required=True, metadata={"description": "Whether the game is private."})
    link = fields.Nested(
        LinkSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "The link of a private game. null: the game is not private, or you are not at the table."
        },
    )


class NewTitleSchema(Schema):
    """A new title for a game."""

    title = Title(required=True, allow_none=True, metadata={"description": "The new title. null: no title."})


class JoinCodeSchema(Schema):
    """A code that leads to a private game."""

    code = fields.String(
        required=True,
        metadata={
            "description": "The code, which people can type or read out.",
            "pattern": code_pattern(JOIN_GROUPS),
            "example": "K7QM-310W",
        },
    )
    expires_at = milliseconds("When the code expires")


class ReceivedCodeSchema(Schema):
    """A join code that somebody has received."""

    code = fields.String(
        required=True,
        metadata={
            "description": "The code. Case, spaces and hyphens do not matter.",
            "example": "K7QM-310W",
            "maxLength": 40,
        },
    )


class GameOfCodeSchema(Schema):
    """The game that a join code leads to."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    link = fields.Nested(LinkSchema, required=True, metadata={"description": "The link of the game."})
