"""Events, as a caller may see them: one schema per event type, generated from the fields of the event class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar, get_args, get_type_hints

from marshmallow import Schema, fields, validate

from engine.events import Cards, Event
from engine.record import name_of_type

from ..games.events import TableEvent
from ..views.events import STANDING_ORDER
from ..views.names import NAMED_IN_EVENTS as NAMES
from .clocks import ClockSettingsSchema, StopSchema
from .common import label_field, milliseconds, name_field
from .ending import END_OUTCOME
from .event_members import meaning, summary
from .games import HINT_RULE, NAME_RULE, SHOWING_RULE, START_MODE, TALK_RULE, CardListSchema
from .named import BOT_KEY, CARD_NAME, EDITION_KEY, END_REASON, PHASE, REGION_NAME, Named, NamedType
from .one_of import OneOf
from .tables import INVITATION_NOTICE, InvitationOfNoticeSchema
from .talk import MessageSchema

NAMED: Mapping[str, Callable[..., fields.Field[Any]]] = {
    "card": partial(Named, CARD_NAME),
    "take": partial(Named, CARD_NAME),
    "turn_up": partial(Named, CARD_NAME),
    "region": partial(Named, REGION_NAME),
    "favor": partial(Named, REGION_NAME),
    "phase": partial(Named, PHASE),
    "edition": partial(Named, EDITION_KEY),
    "bot": partial(Named, BOT_KEY),
    "reasons": partial(fields.List, Named(END_REASON)),
    "start": partial(Named, START_MODE),
    "hints": partial(Named, HINT_RULE),
    "showing": partial(Named, SHOWING_RULE),
    "talk": partial(Named, TALK_RULE),
    "names": partial(Named, NAME_RULE),
    "outcome": partial(Named, END_OUTCOME),
    "options": fields.Dict,
    "clock": partial(fields.Nested, ClockSettingsSchema),
    "stops": partial(fields.List, fields.Nested(StopSchema)),
    "sleep": partial(fields.List, fields.String),
}
"""Members whose schema depends on their name, not on their type."""
LONG = {"allowance", "bank", "deadline", "extra", "used"}
"""Members that contain milliseconds, which need more than 32 bits."""

TYPED: Mapping[Any, Callable[..., fields.Field[Any]]] = {
    int: fields.Integer,
    str: fields.String,
    bool: fields.Boolean,
    Cards: partial(fields.Nested, CardListSchema),
    tuple[int, ...]: partial(fields.List, fields.Integer),
    tuple[str, ...]: partial(fields.List, fields.String),
    tuple[Cards, ...]: partial(fields.List, fields.Nested(CardListSchema)),
}


def _field(event: str, name: str, hint: Any) -> fields.Field[Any]:
    """Return the field for a member of an event. A member that can be None is optional."""
    metadata = {"description": meaning(event, name), **({"format": "int64"} if name in LONG else {})}
    if name in NAMED:
        return NAMED[name](required=type(None) not in get_args(hint), metadata=metadata)
    if hint in TYPED:
        return TYPED[hint](required=True, metadata=metadata)
    (inner,) = (part for part in TYPED if part | None == hint)
    return TYPED[inner](required=False, metadata=metadata)


def _schema(event: Any) -> tuple[str, type[Schema]]:
    """Return an event class's type, and the schema for its events. The schema adds players' names and bots' labels."""
    name = name_of_type(event)
    hints = get_type_hints(event)
    kind = {"description": "The type of the event."}
    members: dict[str, Any] = {"type": fields.String(required=True, validate=validate.OneOf([name]), metadata=kind)}
    for field in event._fields:
        members[field] = _field(name, field, hints[field])
        if field in NAMES:
            members[NAMES[field]] = label_field() if field == "bot" else name_field("the player was deleted")
    schema = Schema.from_dict(members, name=f"{event.__name__}Schema")
    schema.__doc__ = summary(name, event.__doc__)
    return name, schema


class EventSchema(OneOf):
    """An event, without the parts that the caller is not allowed to see.

    Later releases may add event types. A client must accept events of unknown types, and may ignore them.
    """

    branches: ClassVar[Mapping[str, type[Schema]]] = dict(
        _schema(event) for event in (*get_args(TableEvent), *get_args(Event))
    )


MOVE_CAUSE = NamedType(
    "MoveCause",
    "The source of a move that the player did not post. `standing-order`: one of the player's standing orders.",
    [STANDING_ORDER],
    is_open=True,
)


class CommitSchema(Schema):
    """All events that have the same cause.

    A cause is a request, a move by a bot or by standing orders, or the clock.
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
    by_name = name_field("no player made the commit, or the player was deleted")
    view = fields.String(
        required=True,
        metadata={
            "description": "The path at which you can get the game as it was after this commit: the path "
            "of `getGame`, with `seq` as the version."
        },
    )
    events = fields.List(fields.Nested(EventSchema), required=True, metadata={"description": "The events, in order."})
    cause = Named(
        MOVE_CAUSE,
        metadata={"description": "What made the move. Present only if the move is yours and you did not post it."},
    )


class FeedCommitSchema(CommitSchema):
    """A commit of one of your games."""

    id = fields.String(
        required=True,
        metadata={
            "description": "The cursor of this commit. To continue after this commit, send the cursor as "
            "`Last-Event-ID` or `after`."
        },
    )
    game = fields.String(required=True, metadata={"description": "The id of the game."})


class EventsSchema(Schema):
    """A game's commits after a given version."""

    commits = fields.List(
        fields.Nested(CommitSchema), required=True, metadata={"description": "The commits, in order."}
    )
    next = fields.Integer(required=True, metadata={"description": "The value to send as `after` in your next request."})


class FeedMessageSchema(Schema):
    """A message in one of your games."""

    id = fields.String(
        required=True,
        metadata={
            "description": "The cursor of this message. To continue after this message, send the cursor as `after`."
        },
    )
    game = fields.String(required=True, metadata={"description": "The id of the game."})
    message = fields.Nested(MessageSchema, required=True, metadata={"description": "The message."})


class FeedNoticeSchema(Schema):
    """A notice about an invitation."""

    id = fields.String(
        required=True,
        metadata={
            "description": "The cursor of this notice. To continue after this notice, send the cursor as `after`."
        },
    )
    game = fields.String(required=True, metadata={"description": "The id of the game."})
    type = Named(INVITATION_NOTICE, required=True, metadata={"description": "The type of the notice."})
    at = milliseconds("When the event happened")
    invitation = fields.Nested(
        InvitationOfNoticeSchema, required=True, metadata={"description": "The current state of the invitation."}
    )


class FeedSchema(Schema):
    """The commits after a cursor, across all your games."""

    commits = fields.List(
        fields.Nested(FeedCommitSchema), required=True, metadata={"description": "The commits, in order."}
    )
    messages = fields.List(
        fields.Nested(FeedMessageSchema),
        metadata={
            "description": "The messages. The messages of one game are in the order in which they were sent. "
            "Present only with `talk=true`."
        },
    )
    invitations = fields.List(
        fields.Nested(FeedNoticeSchema),
        metadata={
            "description": "The notices about invitations that have not been withdrawn. Present only with "
            "`invitations=true`."
        },
    )
    next = fields.String(required=True, metadata={"description": "The value to send as `after` in your next request."})
