"""Talk: schemas for messages at a table, and for blocks, mutes and reports."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from ..talk import texts
from ..talk.cursors import START, is_cursor
from ..talk.muting import MAX_MUTED
from ..talk.reporting import MAX_REASON
from ..talk.rooms import ROOMS, SEATS, TABLE
from ..views.talk import LIMIT
from .common import MAX_SEATS, CheckedSchema, Flag, matching, milliseconds, name_field, seat_field
from .named import Named, NamedType
from .queries import wait_field

ROOM = NamedType(
    "TalkRoom",
    "table: everybody can read it, and the players write there. seats: only the author and some seats can read it. "
    "spectators: people without a seat; the players can enter only when the game is over.",
    ROOMS,
)
TEXT = r"[^\x00-\x1f\x7f\ud800-\udfff]"
_EXAMPLE = "AQAAAAcAAAAAAAAAAg"


def _cursor(text: str) -> None:
    if not is_cursor(text):
        raise ValidationError("Must be the value of `next` in an earlier response.")


def _text(text: str) -> None:
    try:
        texts.clean(text)
    except texts.BadText as error:
        raise ValidationError(str(error)) from error


def _cursor_field(description: str, **kwargs: Any) -> fields.String:
    return fields.String(
        validate=_cursor,
        metadata={"description": description, "pattern": "^[A-Za-z0-9_-]+$", "example": _EXAMPLE},
        **kwargs,
    )


class TalkQuerySchema(Schema):
    """The messages to return, and how long to wait for more."""

    after = _cursor_field(
        "`next` of the previous response. If left out, the oldest messages are returned first.", load_default=START
    )
    newest = fields.String(
        load_default="false",
        validate=validate.OneOf(["true", "false"]),
        metadata={
            "description": "true: the newest messages, oldest first. `after` and `wait` are then ignored.",
            "example": "false",
        },
    )
    limit = fields.Integer(
        load_default=LIMIT,
        validate=validate.Range(1, LIMIT),
        metadata={"description": "The maximum number of messages.", "example": 50},
    )
    wait = wait_field()


class MessageTextSchema(CheckedSchema):
    """The message to send."""

    room = Named(
        ROOM, load_default=TABLE, metadata={"description": "Who can read the message. If left out, the whole `table`."}
    )
    seats = fields.List(
        seat_field(),
        load_default=list,
        validate=validate.Length(max=MAX_SEATS),
        metadata={"description": "The seats that can read the message, if the room is `seats`. If left out, none."},
    )
    text = fields.String(
        required=True,
        validate=_text,
        metadata={
            "description": f"The message, as plain text: at most {texts.MAX_LENGTH} characters (NFC), without control "
            "characters other than line breaks."
        },
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Refuse seats without the room for them, and that room without seats."""
        if (parts["room"] == SEATS) != bool(parts["seats"]):
            raise ValidationError({"seats": ["Required with the room `seats`, and not allowed with other rooms."]})


class MessageSchema(Schema):
    """A message at a table."""

    id = fields.String(required=True, metadata={"description": "The id of the message, which is random."})
    at = milliseconds("When it was sent")
    room = Named(ROOM, required=True, metadata={"description": "Where it was said."})
    seats = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "The seats that take part, with the author's own, if the room is `seats`."},
    )
    seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The seat that the author had. null: the author is a spectator."},
    )
    player = fields.String(
        required=True, metadata={"description": "The id of the author, or `hidden` if the game hid its players."}
    )
    name = name_field("the author was deleted")
    text = fields.String(
        required=True, allow_none=True, metadata={"description": "What the author wrote. null: the text was removed."}
    )


class UnreadSchema(Schema):
    """How many messages of other players in each room you have not read. The server counts up to 100."""

    table = fields.Integer(required=True, metadata={"description": "Unread messages to the whole table."})
    seats = fields.Integer(required=True, metadata={"description": "Unread private messages."})
    spectators = fields.Integer(required=True, metadata={"description": "Unread messages in the spectators' room."})


class TalkSchema(Schema):
    """Messages at a table that you can read."""

    messages = fields.List(
        fields.Nested(MessageSchema), required=True, metadata={"description": "The messages, oldest first."}
    )
    next = fields.String(required=True, metadata={"description": "Send `next` as `after` to get later messages."})
    unread = fields.Nested(UnreadSchema, required=True, metadata={"description": "What you have not read."})
    writes = fields.List(Named(ROOM), required=True, metadata={"description": "The rooms where you may write now."})


class ReadUpToSchema(Schema):
    """How far you have read."""

    upto = _cursor_field("`next` of the response up to which you have read.", required=True)


class UnreadAfterSchema(Schema):
    """What you have not read."""

    unread = fields.Nested(UnreadSchema, required=True, metadata={"description": "What you have not read."})


class GameNewsSchema(Schema):
    """A game with messages that you have not read."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    url = fields.String(required=True, metadata={"description": "Path of the talk of the game."})
    unread = fields.Nested(UnreadSchema, required=True, metadata={"description": "What you have not read."})


class NewsSchema(Schema):
    """Your games with unread messages."""

    games = fields.List(
        fields.Nested(GameNewsSchema), required=True, metadata={"description": "The games, at most 100."}
    )


class MutesSchema(Schema):
    """The spectators who may not write in a game."""

    everyone = Flag(required=True, metadata={"description": "Whether no spectator may write, except the owner."})
    players = fields.List(
        fields.String(validate=matching("[a-z0-9]{1,40}", "Must be the id of a player.")),
        required=True,
        validate=validate.Length(max=MAX_MUTED),
        metadata={"description": "The ids of spectators who may not write."},
    )


class MessageReportSchema(Schema):
    """Why you report a message."""

    reason = fields.String(
        required=True,
        validate=matching(f"{TEXT}{{1,{MAX_REASON}}}", f"1 to {MAX_REASON} characters, without control characters."),
        metadata={
            "description": "What is wrong with the message. Only the host sees it.",
            "pattern": f"^[^\\x00-\\x1f\\x7f]{{1,{MAX_REASON}}}$",
        },
    )


class BlockSchema(Schema):
    """A player whom you have blocked."""

    player = fields.String(required=True, metadata={"description": "The id of the player."})
    name = name_field("the player was deleted")
    since = milliseconds("When you blocked the player")


class BlockListSchema(Schema):
    """The players whom you have blocked."""

    blocks = fields.List(
        fields.Nested(BlockSchema), required=True, metadata={"description": "The players, earliest block first."}
    )
