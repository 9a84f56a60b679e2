"""Talk: schemas for the messages in a game, and for blocks, mutes and reports."""

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
    "Who can read and write. `table`: the players can write, and everybody can read. `seats`: only the author and "
    "the chosen seats can read. `spectators`: people without a seat can read and write. Players can too, but only "
    "after the game is over.",
    ROOMS,
)
TEXT = r"[^\x00-\x1f\x7f\ud800-\udfff]"
_EXAMPLE = "AQAAAAcAAAAAAAAAAg"


def _cursor(text: str) -> None:
    if not is_cursor(text):
        raise ValidationError("Must be the value of `next` from an earlier response.")


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
    """Which messages to return, and how long to wait for more."""

    after = _cursor_field(
        "The value of `next` in the previous response. By default, the list starts at the oldest message.",
        load_default=START,
    )
    newest = fields.String(
        load_default="false",
        validate=validate.OneOf(["true", "false"]),
        metadata={
            "description": "If `true`, the response has the newest messages, still sorted oldest first, and `after` "
            "and `wait` are ignored.",
            "example": "false",
        },
    )
    limit = fields.Integer(
        load_default=LIMIT,
        validate=validate.Range(1, LIMIT),
        metadata={"description": "The maximum number of messages in the response.", "example": 50},
    )
    wait = wait_field()


class MessageTextSchema(CheckedSchema):
    """The message to send."""

    room = Named(
        ROOM, load_default=TABLE, metadata={"description": "Who can read the message. The default is `table`."}
    )
    seats = fields.List(
        seat_field(),
        load_default=list,
        validate=validate.Length(max=MAX_SEATS),
        metadata={
            "description": "The seats that can read the message. Required if the room is `seats`; leave it out "
            "otherwise."
        },
    )
    text = fields.String(
        required=True,
        validate=_text,
        metadata={
            "description": f"The message: plain text of at most {texts.MAX_LENGTH} characters in Unicode form NFC. "
            "Line breaks are the only control characters allowed."
        },
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Require the `seats` member if the room is `seats`, and reject it otherwise.

        Raises: ValidationError.
        """
        if (parts["room"] == SEATS) != bool(parts["seats"]):
            raise ValidationError({"seats": ["Required with the room `seats`. Not allowed with other rooms."]})


class MessageSchema(Schema):
    """A message in a game."""

    id = fields.String(required=True, metadata={"description": "The id of the message."})
    at = milliseconds("When the message was sent")
    room = Named(ROOM, required=True, metadata={"description": "The room in which the message was written."})
    seats = fields.List(
        fields.Integer(),
        required=True,
        metadata={
            "description": "If the room is `seats`, the seats that can read the message, including the "
            "author's. Otherwise, the list is empty."
        },
    )
    seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The author's seat when the message was sent, or `null` if the author was a spectator."
        },
    )
    player = fields.String(
        required=True, metadata={"description": "The id of the author, or `hidden` if the game hides its players."}
    )
    name = name_field("the author was deleted")
    text = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The text of the message, or `null` if it was removed."},
    )


class UnreadSchema(Schema):
    """For each room, the number of unread messages from other players. The server stops counting at 100."""

    table = fields.Integer(required=True, metadata={"description": "The number of unread messages to the whole table."})
    seats = fields.Integer(required=True, metadata={"description": "The number of unread private messages."})
    spectators = fields.Integer(
        required=True, metadata={"description": "The number of unread messages in the spectators' room."}
    )


class TalkSchema(Schema):
    """The messages that you can read in a game."""

    messages = fields.List(
        fields.Nested(MessageSchema), required=True, metadata={"description": "The messages, oldest first."}
    )
    next = fields.String(required=True, metadata={"description": "The value to send as `after` to get later messages."})
    unread = fields.Nested(
        UnreadSchema, required=True, metadata={"description": "How many messages you have not read."}
    )
    writes = fields.List(Named(ROOM), required=True, metadata={"description": "The rooms in which you may write now."})


class ReadUpToSchema(Schema):
    """The position up to which you have read."""

    upto = _cursor_field("The value of `next` in the last response that you have read.", required=True)


class UnreadAfterSchema(Schema):
    """How many messages you have not read."""

    unread = fields.Nested(
        UnreadSchema, required=True, metadata={"description": "How many messages you have not read."}
    )


class GameNewsSchema(Schema):
    """A game with unread messages."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    url = fields.String(required=True, metadata={"description": "The path of the game's messages."})
    unread = fields.Nested(
        UnreadSchema, required=True, metadata={"description": "How many messages you have not read."}
    )


class NewsSchema(Schema):
    """Your games with unread messages."""

    games = fields.List(
        fields.Nested(GameNewsSchema),
        required=True,
        metadata={"description": "The games with unread messages. At most 100 games are listed."},
    )


class MutesSchema(Schema):
    """The spectators whom the game's owner has muted."""

    everyone = Flag(required=True, metadata={"description": "Whether all spectators except the owner are muted."})
    players = fields.List(
        fields.String(validate=matching("[a-z0-9]{1,40}", "Must be the id of a player.")),
        required=True,
        validate=validate.Length(max=MAX_MUTED),
        metadata={"description": "The ids of the muted spectators."},
    )


class MessageReportSchema(Schema):
    """The reason why you report a message."""

    reason = fields.String(
        required=True,
        validate=matching(
            f"{TEXT}{{1,{MAX_REASON}}}", f"Must be 1 to {MAX_REASON} characters, without control characters."
        ),
        metadata={
            "description": "What is wrong with the message. Only the host sees this reason.",
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
        fields.Nested(BlockSchema), required=True, metadata={"description": "The blocked players, oldest block first."}
    )
