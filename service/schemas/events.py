"""Events, as a caller may see them: one schema a type, made from the event's own fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, get_args, get_type_hints

from marshmallow import Schema, fields, validate

from engine.events import Event

from ..table import TableEvent
from .common import card_field, milliseconds, region_field
from .games import CardsSchema
from .one_of import OneOf


def _field(name: str, hint: Any) -> fields.Field[Any]:
    """Return the field for one member of an event, by its name where it has a meaning of its own, else by its type."""
    optional = type(None) in get_args(hint)
    required = not optional
    if name in ("card", "take"):
        return card_field(required=required)
    if name in ("region", "favor"):
        return region_field(required=required)
    if name == "cards":
        return fields.Nested(CardsSchema, required=True)
    if name == "hands":
        return fields.List(fields.Nested(CardsSchema), required=True)
    if name == "options":
        return fields.Dict(required=True)
    if name == "reasons":
        return fields.List(fields.String(), required=True)
    if name in ("counts", "strengths", "leaders", "winners"):
        return fields.List(fields.Integer(), required=required)
    inner = next(part for part in (get_args(hint) or (hint,)) if part is not type(None))
    kinds: dict[Any, type[fields.Field[Any]]] = {int: fields.Integer, str: fields.String, bool: fields.Boolean}
    return kinds[inner](required=required)


def _schema(event: Any) -> tuple[str, type[Schema]]:
    name = re.sub(r"(?<!^)(?=[A-Z])", "-", event.__name__).lower()
    hints = get_type_hints(event)
    members: dict[str, Any] = {"type": fields.String(required=True, validate=validate.OneOf([name]))}
    members |= {field: _field(field, hints[field]) for field in event._fields}
    schema = Schema.from_dict(members, name=f"{event.__name__}Schema")
    schema.__doc__ = event.__doc__
    return name, schema


class EventSchema(OneOf):
    """Something that happened."""

    branches: ClassVar[Mapping[str, type[Schema]]] = dict(
        _schema(event) for event in (*get_args(TableEvent), *get_args(Event))
    )


class CommitSchema(Schema):
    """Events that were stored together: the chain that one request or one bot's move brought about."""

    seq = fields.Integer(required=True, metadata={"description": "The game's version after it."})
    at = milliseconds("When it was stored")
    by = fields.String(required=True, metadata={"description": "A player's id, or bot: and the seat."})
    events = fields.List(fields.Nested(EventSchema), required=True)


class EventsSchema(Schema):
    """What happened since."""

    commits = fields.List(fields.Nested(CommitSchema), required=True)
    next = fields.Integer(required=True, metadata={"description": "Send it as `after` next time."})


class EventsQuerySchema(Schema):
    """From where to read on, and how long to wait for more."""

    after = fields.Integer(
        load_default=0, validate=validate.Range(0, 2**31), metadata={"description": "A version you have seen."}
    )
    wait = fields.Integer(
        load_default=0,
        validate=validate.Range(0, 60),
        metadata={"description": "Seconds to wait when nothing has happened since."},
    )
