"""Payloads: the bodies of deliveries to webhooks, one schema per kind of event."""

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
    challenge = fields.String(required=True, metadata={"description": "Return this challenge in your answer."})


class GameDataSchema(Schema):
    """A game, its version, and the seat to which the delivery is addressed."""

    webhook = fields.String(required=True, metadata={"description": "The id of the webhook."})
    game = fields.String(required=True, metadata={"description": "The id of the game."})
    version = fields.Integer(required=True, metadata={"description": "The version of the game after the event."})
    sequence = fields.Integer(
        required=True,
        metadata={"description": "The number of this delivery among the webhook's deliveries about this game, from 1."},
    )
    seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "Your seat, or the seat that you have just lost. null: you own the game and have no seat in "
            "it."
        },
    )
    url = fields.String(required=True, metadata={"description": "Path of the game."})
    view = fields.Nested(
        GameSchema, metadata={"description": "The game as you see it at this version. Not in a thin payload."}
    )


class CommitDataSchema(GameDataSchema):
    """What happened in a game."""

    commit = fields.Nested(CommitSchema, metadata={"description": "What happened. Not in a thin payload."})


class NumberedMoveSchema(Schema):
    """A move that you may make, and the number that identifies it in your answer."""

    number = fields.Integer(required=True, metadata={"description": "The number of the move."})
    move = fields.Nested(MoveSchema, required=True, metadata={"description": "The move."})


class TurnDataSchema(GameDataSchema):
    """A game that is waiting for you."""

    deadline = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When your time runs out, in milliseconds since 1970-01-01 UTC. null: the game has no "
            "clock.",
            "format": "int64",
        },
    )
    moves = fields.List(
        fields.Nested(NumberedMoveSchema), metadata={"description": "Your legal moves. Not in a thin payload."}
    )


class ReminderDataSchema(CommitDataSchema):
    """A game that is still waiting for you."""

    deadline = milliseconds("When your time runs out")
    left = fields.Integer(required=True, metadata={"description": "The percentage of your time that is left."})


class ExpiryDataSchema(CommitDataSchema):
    """A game in which your time ran out."""

    misses = fields.Integer(required=True, metadata={"description": "How many times in a row your time has run out."})


class RejectionDataSchema(GameDataSchema):
    """Why the move in your answer was refused."""

    problem = fields.Nested(ReasonSchema, required=True, metadata={"description": "Why the move was refused."})
    moves = fields.List(
        fields.Nested(NumberedMoveSchema), metadata={"description": "Your legal moves. Not in a thin payload."}
    )


class ReceivedMessageSchema(Schema):
    """A message that you can read. A thin payload has only its `id`."""

    id = fields.String(required=True, metadata={"description": "The id of the message."})
    at = fields.Integer(
        metadata={"description": "When it was sent, in milliseconds since 1970-01-01 UTC.", "format": "int64"}
    )
    room = Named(ROOM, metadata={"description": "Where it was said."})
    seats = fields.List(fields.Integer(), metadata={"description": "The seats that take part, if the room is `seats`."})
    seat = fields.Integer(allow_none=True, metadata={"description": "The author's seat."})
    player = fields.String(metadata={"description": "The id of the author."})
    name = fields.String(
        allow_none=True, metadata={"description": "The name of the author. null: the author was deleted."}
    )
    text = fields.String(metadata={"description": "What the author wrote."})


class MessageDataSchema(Schema):
    """A message that you can read."""

    webhook = fields.String(required=True, metadata={"description": "The id of the webhook."})
    game = fields.String(required=True, metadata={"description": "The id of the game."})
    version = fields.Integer(
        required=True, allow_none=True, metadata={"description": "null: a message does not change the game."}
    )
    sequence = fields.Integer(
        required=True,
        metadata={"description": "The number of this delivery among the webhook's deliveries about this game, from 1."},
    )
    seat = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The seat that you had when the message was sent."}
    )
    url = fields.String(required=True, metadata={"description": "Path of the talk of the game."})
    message = fields.Nested(
        ReceivedMessageSchema,
        required=True,
        metadata={"description": "The message. In a thin payload, only its `id`."},
    )


class InvitationDataSchema(GameDataSchema):
    """An invitation to a game. `seat` is null until you have a seat in the game."""

    invitation = fields.Nested(InvitationOfNoticeSchema, required=True, metadata={"description": "The invitation."})


def _payload(kind: str, data: type[Schema], doc: str) -> type[Schema]:
    members: dict[str, Any] = {
        "type": fields.String(
            required=True, validate=validate.OneOf([kind]), metadata={"description": "The type of the event."}
        ),
        "timestamp": fields.DateTime(required=True, metadata={"description": "When the event happened."}),
        "data": fields.Nested(data, required=True, metadata={"description": "What the event is about."}),
    }
    name = "".join(part.title() for part in kind.split("."))
    schema = Schema.from_dict(members, name=f"{name}PayloadSchema")
    schema.__doc__ = doc
    return schema


PAYLOADS = {
    PING: _payload(PING, PingDataSchema, "A request to prove that the endpoint is yours."),
    TURN_STARTED: _payload(TURN_STARTED, TurnDataSchema, "The game is waiting for you."),
    TURN_REMINDER: _payload(TURN_REMINDER, ReminderDataSchema, "The game is still waiting for you."),
    TURN_EXPIRED: _payload(TURN_EXPIRED, ExpiryDataSchema, "Your time ran out."),
    TURN_REJECTED: _payload(TURN_REJECTED, RejectionDataSchema, "The move in your answer was refused."),
    GAME_STARTED: _payload(GAME_STARTED, CommitDataSchema, "A game began."),
    GAME_MOVED: _payload(GAME_MOVED, CommitDataSchema, "Somebody moved."),
    GAME_ENDED: _payload(GAME_ENDED, CommitDataSchema, "A game is over."),
    MESSAGE_RECEIVED: _payload(MESSAGE_RECEIVED, MessageDataSchema, "Somebody wrote a message that you can read."),
    TABLE_CHANGED: _payload(TABLE_CHANGED, CommitDataSchema, "The players at the table, or the clock, changed."),
    CARDS_SHOWN: _payload(CARDS_SHOWN, CommitDataSchema, "Another seat showed you cards of its hand."),
    TABLE_FILLED: _payload(TABLE_FILLED, CommitDataSchema, "The last free seat was taken."),
    INVITATION_RECEIVED: _payload(INVITATION_RECEIVED, InvitationDataSchema, "You are invited to a game."),
    REMATCH_PROPOSED: _payload(REMATCH_PROPOSED, InvitationDataSchema, "A rematch was proposed."),
    INVITATION_DECLINED: _payload(INVITATION_DECLINED, InvitationDataSchema, "Your invitation was declined."),
}
"""The schema of each kind of payload."""


class ChallengeAnswerSchema(Schema):
    """The answer to a ping."""

    challenge = fields.String(required=True, metadata={"description": "The `challenge` of the ping."})
