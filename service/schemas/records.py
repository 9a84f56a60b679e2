"""Schemas for records. A record is one document that contains a whole game.

The events in a record are exactly as the server stores them, without players' names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from ..records.document import RECORD
from ..views.names import NAMED_IN_EVENTS
from .clocks import ClockSettingsSchema
from .common import milliseconds
from .describing import PREFIX, reachable
from .events import EventSchema
from .games import GAME_STATUS, FairnessSchema, ResultSchema
from .named import BOT_KEY, EDITION_KEY, Named
from .one_of import OneOf

HASH = "^[0-9a-f]{64}$"
SCHEMA_NAME = "GameRecord"
"""The name of the schema of records in the OpenAPI document."""


def _hash(description: str, **kwargs: Any) -> fields.String:
    return fields.String(metadata={"description": description, "pattern": HASH}, **kwargs)


class RecordClockSchema(ClockSettingsSchema):
    """The clock that was chosen when the game was opened."""

    class Meta:
        """Omit the bot's name, because records contain no names."""

        exclude = ("label",)


def _without_names(schema: type[Schema]) -> type[Schema]:
    """Return the schema of an event as it is stored: without names and labels."""
    declared = schema._declared_fields
    if not {*NAMED_IN_EVENTS, "clock"} & declared.keys():
        return schema
    members = {name: field for name, field in declared.items() if name not in NAMED_IN_EVENTS.values()}
    if "clock" in members:
        members["clock"] = fields.Nested(RecordClockSchema, required=False, metadata=declared["clock"].metadata)
    bare = Schema.from_dict(members, name=f"Record{schema.__name__}")
    bare.__doc__ = schema.__doc__
    return bare


class RecordEventSchema(OneOf):
    """An event, as the server stores it.

    Later releases may add event types.
    """

    branches: ClassVar[Mapping[str, type[Schema]]] = {
        name: _without_names(branch) for name, branch in EventSchema.branches.items()
    }


class RecordCommitSchema(Schema):
    """The events that follow from one cause, such as a request or a bot's move.

    In an open record (the record of a finished game), a commit also has hashes.
    """

    seq = fields.Integer(required=True, metadata={"description": "The version of the game after this commit."})
    at = milliseconds("When the commit was stored")
    by = fields.String(
        required=True,
        metadata={
            "description": "Who made the commit: a player's id (or `hidden` if the game hides its players), `bot:` "
            "or `absent:` followed by a seat, `clock`, or `host`."
        },
    )
    revision = fields.Integer(
        required=True, metadata={"description": "The version of the format in which the commit is stored."}
    )
    events = fields.List(
        fields.Nested(RecordEventSchema), required=True, metadata={"description": "The events, in order."}
    )
    hash = _hash("A hash that covers all commits up to this one. Present only in an open record.")
    position = _hash(
        "The SHA-256 of the position after this commit, written in one-line notation. `null` if the game had not "
        "started. Present only in an open record.",
        allow_none=True,
    )


class RecordSeatSchema(Schema):
    """A seat with its player or bot, and the random bytes (entropy) that were contributed for it."""

    player = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The id of the player, `hidden` if the game hides its players, or `null` if the seat "
            "has no player."
        },
    )
    bot = Named(
        BOT_KEY,
        required=True,
        allow_none=True,
        metadata={"description": "The key of the bot, or `null` if the seat has no bot."},
    )
    entropy = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The random bytes (entropy) that were added for the seat, in hexadecimal. `null` if "
            "there are none."
        },
    )


class GameRecordSchema(Schema):
    """The record of a game: all its commits, and the data needed to check them."""

    record = fields.Integer(
        required=True,
        validate=validate.OneOf([RECORD]),
        metadata={"description": "The version of the record format."},
    )
    game = fields.String(required=True, metadata={"description": "The id of the game."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    revision = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The revision of the edition, or `null` if the game has not started."},
    )
    options = fields.Dict(
        required=True, metadata={"description": "The value of each option of the edition, by its key."}
    )
    seats = fields.List(
        fields.Nested(RecordSeatSchema),
        required=True,
        metadata={"description": "The player or bot in each seat, in seat order."},
    )
    status = Named(GAME_STATUS, required=True, metadata={"description": "The status of the game."})
    version = fields.Integer(required=True, metadata={"description": "The number of commits."})
    open = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether the record is open. An open record shows everything, because the game is over. "
            "Any other record shows only what you may see, and has no hashes."
        },
    )
    seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The seat whose hand the record shows. `null` in an open record, and in a "
            "spectator's record."
        },
    )
    clock = fields.Nested(
        RecordClockSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "The clock that was chosen when the game was opened, or `null` if the game has no clock."
        },
    )
    result = fields.Nested(
        ResultSchema,
        required=True,
        allow_none=True,
        metadata={"description": "How the game ended, or `null` if the game is not over or was cancelled."},
    )
    fairness = fields.Nested(
        FairnessSchema,
        required=True,
        metadata={"description": "Data for checking that nobody tampered with the draws."},
    )
    head = _hash("A hash that covers all commits in the record, like the game's `head`.", required=True)
    names = fields.Dict(
        keys=fields.String(),
        values=fields.String(allow_none=True),
        metadata={
            "description": "The name of each player in the record, by id. A name is `null` if the player was "
            "deleted. Present only with `names=true`."
        },
    )
    commits = fields.List(
        fields.Nested(RecordCommitSchema), required=True, metadata={"description": "All commits, in order."}
    )


def json_schema(description: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of records as a self-contained document, given the OpenAPI document."""
    needed = {name: _moved(schema) for name, schema in reachable(description, [SCHEMA_NAME]).items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The record of a game of Condottiere",
        **needed.pop(SCHEMA_NAME),
        "$defs": dict(sorted(needed.items())),
    }


_OPENAPI, _CLOSED = "discriminator", ("additionalProperties", False)


def _moved(part: Any) -> Any:
    """Return a part of a schema, with references that point into `$defs`.

    Discriminators are omitted: only OpenAPI has them, and each branch already requires a different `type`.
    `additionalProperties: false` is also omitted, because a later release may add members.
    """
    if isinstance(part, dict):
        return {name: _moved(value) for name, value in part.items() if (name, value) != _CLOSED and name != _OPENAPI}
    if isinstance(part, list):
        return [_moved(value) for value in part]
    return part.replace(PREFIX, "#/$defs/") if isinstance(part, str) and part.startswith(PREFIX) else part
