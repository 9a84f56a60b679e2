"""Webhook payloads: one schema per type of event."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from ..webhooks.kinds import (
    CARDS_SHOWN,
    GAME_ENDED,
    GAME_MOVED,
    GAME_STARTED,
    INVITATION_DECLINED,
    INVITATION_RECEIVED,
    MESSAGE_RECEIVED,
    PING,
    REMATCH_PROPOSED,
    TABLE_CHANGED,
    TABLE_FILLED,
    TURN_EXPIRED,
    TURN_REJECTED,
    TURN_REMINDER,
    TURN_STARTED,
)
from .common import milliseconds
from .events import CommitSchema
from .games import GameSchema
from .moves import MoveSchema
from .named import Named
from .tables import InvitationOfNoticeSchema
from .talk import ROOM
from .webhooks import ReasonSchema


class PingDataSchema(Schema):
    """A request to prove that the endpoint is yours."""

    webhook = fields.String(required=True, metadata={"description": "The id of the webhook."})
    challenge = fields.String(required=True, metadata={"description": "The text to send back in your response."})


class GameDataSchema(Schema):
    """The game that a delivery is about, its version, and your seat."""

    webhook = fields.String(required=True, metadata={"description": "The id of the webhook."})
    game = fields.String(required=True, metadata={"description": "The id of the game."})
    version = fields.Integer(required=True, metadata={"description": "The version of the game after the event."})
    sequence = fields.Integer(
        required=True,
        metadata={
            "description": "The number of the delivery, counting this webhook's deliveries about this game from 1."
        },
    )
    seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "Your seat, or the seat that you have just lost. `null` if you own the game and have no "
            "seat in it."
        },
    )
    url = fields.String(required=True, metadata={"description": "The path of the game."})
    view = fields.Nested(
        GameSchema,
        metadata={
            "description": "The game as you see it at this version. Omitted if the webhook's `payload` is `thin`."
        },
    )


class CommitDataSchema(GameDataSchema):
    """What happened in a game."""

    commit = fields.Nested(
        CommitSchema, metadata={"description": "What happened. Omitted if the webhook's `payload` is `thin`."}
    )


class NumberedMoveSchema(Schema):
    """A legal move, and the number that your response can use to choose it."""

    number = fields.Integer(required=True, metadata={"description": "The number of the move."})
    move = fields.Nested(MoveSchema, required=True, metadata={"description": "The move."})


class TurnDataSchema(GameDataSchema):
    """A game in which it is your turn."""

    deadline = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When your time runs out, in milliseconds since 1970-01-01 UTC. `null` if the game has "
            "no clock.",
            "format": "int64",
        },
    )
    moves = fields.List(
        fields.Nested(NumberedMoveSchema),
        metadata={"description": "Your legal moves. Omitted if the webhook's `payload` is `thin`."},
    )


class ReminderDataSchema(CommitDataSchema):
    """A game in which it is still your turn."""

    deadline = milliseconds("When your time runs out")
    left = fields.Integer(required=True, metadata={"description": "The percentage of your time that is left."})


class ExpiryDataSchema(CommitDataSchema):
    """A game in which your time ran out."""

    misses = fields.Integer(required=True, metadata={"description": "How many times in a row your time has run out."})


class RejectionDataSchema(GameDataSchema):
    """Why the server refused the move in your response."""

    problem = fields.Nested(ReasonSchema, required=True, metadata={"description": "Why the server refused the move."})
    moves = fields.List(
        fields.Nested(NumberedMoveSchema),
        metadata={"description": "Your legal moves. Omitted if the webhook's `payload` is `thin`."},
    )


class ReceivedMessageSchema(Schema):
    """A message that you can read. If the webhook's `payload` is `thin`, the server sends only the `id`."""

    id = fields.String(required=True, metadata={"description": "The id of the message."})
    at = fields.Integer(
        metadata={"description": "When the message was sent, in milliseconds since 1970-01-01 UTC.", "format": "int64"}
    )
    room = Named(ROOM, metadata={"description": "The room in which the message was written."})
    seats = fields.List(
        fields.Integer(), metadata={"description": "If the room is `seats`, the seats that can read the message."}
    )
    seat = fields.Integer(allow_none=True, metadata={"description": "The author's seat when the message was sent."})
    player = fields.String(metadata={"description": "The id of the author."})
    name = fields.String(
        allow_none=True, metadata={"description": "The name of the author, or `null` if the author was deleted."}
    )
    text = fields.String(metadata={"description": "The text of the message."})


class MessageDataSchema(Schema):
    """A message that you can read."""

    webhook = fields.String(required=True, metadata={"description": "The id of the webhook."})
    game = fields.String(required=True, metadata={"description": "The id of the game."})
    version = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "Always `null`, because a message does not change the game."},
    )
    sequence = fields.Integer(
        required=True,
        metadata={
            "description": "The number of the delivery, counting this webhook's deliveries about this game from 1."
        },
    )
    seat = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The seat that you had when the message was sent."}
    )
    url = fields.String(required=True, metadata={"description": "The path of the game's messages."})
    message = fields.Nested(
        ReceivedMessageSchema,
        required=True,
        metadata={"description": "The message. If the webhook's `payload` is `thin`, the message has only its `id`."},
    )


class InvitationDataSchema(GameDataSchema):
    """An invitation to a game. `seat` is `null` until you have a seat in that game."""

    invitation = fields.Nested(InvitationOfNoticeSchema, required=True, metadata={"description": "The invitation."})


def _payload(kind: str, data: type[Schema], doc: str) -> type[Schema]:
    members: dict[str, Any] = {
        "type": fields.String(
            required=True, validate=validate.OneOf([kind]), metadata={"description": "The type of the event."}
        ),
        "timestamp": fields.DateTime(required=True, metadata={"description": "When the event happened."}),
        "data": fields.Nested(data, required=True, metadata={"description": "The data of the event."}),
    }
    name = "".join(part.title() for part in kind.split("."))
    schema = Schema.from_dict(members, name=f"{name}PayloadSchema")
    schema.__doc__ = doc
    return schema


PAYLOADS = {
    PING: _payload(PING, PingDataSchema, "A request to prove that the endpoint is yours."),
    TURN_STARTED: _payload(TURN_STARTED, TurnDataSchema, "It is your turn in a game."),
    TURN_REMINDER: _payload(TURN_REMINDER, ReminderDataSchema, "It is still your turn in a game."),
    TURN_EXPIRED: _payload(TURN_EXPIRED, ExpiryDataSchema, "Your time ran out."),
    TURN_REJECTED: _payload(TURN_REJECTED, RejectionDataSchema, "The server refused the move in your response."),
    GAME_STARTED: _payload(GAME_STARTED, CommitDataSchema, "A game started."),
    GAME_MOVED: _payload(GAME_MOVED, CommitDataSchema, "Somebody made a move."),
    GAME_ENDED: _payload(GAME_ENDED, CommitDataSchema, "A game is over."),
    MESSAGE_RECEIVED: _payload(MESSAGE_RECEIVED, MessageDataSchema, "Somebody wrote a message that you can read."),
    TABLE_CHANGED: _payload(TABLE_CHANGED, CommitDataSchema, "The players of a game, or its clock, changed."),
    CARDS_SHOWN: _payload(CARDS_SHOWN, CommitDataSchema, "Another seat showed you cards from its hand."),
    TABLE_FILLED: _payload(TABLE_FILLED, CommitDataSchema, "The last free seat in one of your games was taken."),
    INVITATION_RECEIVED: _payload(INVITATION_RECEIVED, InvitationDataSchema, "Somebody invited you to a game."),
    REMATCH_PROPOSED: _payload(REMATCH_PROPOSED, InvitationDataSchema, "Somebody proposed a rematch to you."),
    INVITATION_DECLINED: _payload(INVITATION_DECLINED, InvitationDataSchema, "Somebody declined your invitation."),
}
"""The schema of the payload of each kind of event."""


class ChallengeAnswerSchema(Schema):
    """The response that your endpoint must send to a ping."""

    challenge = fields.String(required=True, metadata={"description": "The `challenge` that the ping contained."})
