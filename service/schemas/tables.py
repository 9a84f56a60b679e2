"""Tables: schemas for titles, links and join codes."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from ..accounts.codes import code_pattern
from ..tables.invitations import KINDS, LONGEST, NOTICES, REASONS, SHORTEST, STATUSES, USUAL
from ..tables.links import JOIN_GROUPS
from .clocks import ClockChoiceSchema
from .common import (
    CheckedSchema,
    Flag,
    Title,
    Whole,
    matching,
    milliseconds,
    name_field,
    nullable_milliseconds,
    seat_field,
)
from .games import HINT_RULE, NAME_RULE, SHOWING_RULE, START_MODE, TALK_RULE, BotSeatSchema, entropy_field
from .named import BOT_KEY, EDITION_KEY, Named, NamedType
from .players import NAME

INVITATION_KIND = NamedType(
    "InvitationKind", "What a player is invited to. rematch: another game with the players of a game.", KINDS
)
INVITATION_STATUS = NamedType(
    "InvitationStatus",
    "The status of an invitation. accepted: the player has a seat in the game. expired: the time for an answer has run "
    "out, or the game is no longer open.",
    STATUSES,
)
INVITATION_NOTICE = NamedType(
    "InvitationNotice",
    "invitation.received: you are invited to a game. rematch.proposed: you are asked for a rematch. "
    "invitation.declined: a player has declined your invitation.",
    NOTICES,
    is_open=True,
)
DECLINE_REASON = NamedType(
    "DeclineReason",
    "Why a player declines. no-time: the player has no time. not-interested: the player does not want to play this "
    "game with these people. pace: the player wants another clock. edition: the player wants another edition or other "
    "options. unspecified: the player gives no reason.",
    REASONS,
    is_open=True,
)


def _player(description: str, *, required: bool = True) -> fields.String:
    """Return a field for the id or the name of a player."""
    return fields.String(
        required=required,
        validate=matching(NAME, "Must be the id or the name of a player."),
        metadata={"description": description, "pattern": f"^{NAME}$", "example": "Ludovico"},
    )


class InvitationOfNoticeSchema(Schema):
    """The invitation that a notice is about."""

    kind = Named(INVITATION_KIND, required=True, metadata={"description": "What the player is invited to."})
    player = fields.String(required=True, metadata={"description": "The id of the player who is invited."})
    name = name_field("the player was deleted")
    by = fields.String(required=True, metadata={"description": "The id of the player who invites."})
    by_name = name_field("the player was deleted")
    seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The seat that is kept for the player. null: the player gets the first free seat."},
    )
    rematch_of = fields.String(
        required=True, allow_none=True, metadata={"description": "The id of the earlier game. null: no rematch."}
    )
    expires_at = milliseconds("When the invitation expires")
    reason = Named(
        DECLINE_REASON,
        required=True,
        allow_none=True,
        metadata={"description": "Why the player declined. null: the player has not declined."},
    )


class InvitationSchema(InvitationOfNoticeSchema):
    """An invitation of a player to a game."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    url = fields.String(required=True, metadata={"description": "Path of the game."})
    invited_at = milliseconds("When the player was invited")
    status = Named(INVITATION_STATUS, required=True, metadata={"description": "The status of the invitation."})


class ReceivedInvitationSchema(InvitationSchema):
    """An invitation that is waiting for your answer, and the game."""

    title = Title(required=True, allow_none=True, metadata={"description": "The game's title. null: no title."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    options = fields.Dict(
        required=True, metadata={"description": "The value of each option of the edition, by its key."}
    )
    seats = fields.Integer(required=True, metadata={"description": "How many seats the game has."})


class InvitationListSchema(Schema):
    """The invitations that are waiting for your answer."""

    invitations = fields.List(
        fields.Nested(ReceivedInvitationSchema),
        required=True,
        metadata={"description": "The invitations, newest first."},
    )
    next = fields.String(
        required=True, metadata={"description": "Send `next` as `after` to wait until the list has changed."}
    )


class InvitingSchema(Schema):
    """The player to invite."""

    player = _player("The id or the name of the player.")
    seconds = Whole(
        load_default=USUAL,
        validate=validate.Range(SHORTEST, LONGEST),
        metadata={"description": f"Seconds after which the invitation expires. If left out, {USUAL} (a week)."},
    )


class ProposalSchema(Schema):
    """How to propose a rematch. If a rematch was proposed before, these members have no effect."""

    bot = Named(
        BOT_KEY,
        load_default=None,
        allow_none=True,
        metadata={"description": "The bot that gets the seats of players who do not agree. null or left out: no bot."},
    )
    seconds = Whole(
        load_default=USUAL,
        validate=validate.Range(SHORTEST, LONGEST),
        metadata={"description": f"Seconds that the others have to agree. If left out, {USUAL} (a week)."},
    )


class ReservedSeatSchema(Schema):
    """A seat of a rematch that is kept for a player."""

    seat = fields.Integer(required=True, metadata={"description": "The seat."})
    player = fields.String(required=True, metadata={"description": "The id of the player."})
    name = name_field("the player was deleted")


class SettingsSchema(Schema):
    """The settings of a game, as in the request that opens a game."""

    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition."})
    options = fields.Dict(
        required=True, metadata={"description": "The value of each option of the edition, by its key."}
    )
    seats = fields.Integer(required=True, metadata={"description": "The number of seats."})
    bots = fields.List(
        fields.Nested(BotSeatSchema), required=True, metadata={"description": "The seats that bots play."}
    )
    start = Named(START_MODE, required=True, metadata={"description": "Who starts the game."})
    clock = fields.Nested(
        ClockChoiceSchema, required=True, allow_none=True, metadata={"description": "The clock. null: no clock."}
    )
    hints = Named(HINT_RULE, required=True, metadata={"description": "Whether players may ask for hints."})
    showing = Named(SHOWING_RULE, required=True, metadata={"description": "Whether seats may show each other cards."})
    talk = Named(TALK_RULE, required=True, metadata={"description": "Who may talk to whom."})
    names = Named(NAME_RULE, required=True, metadata={"description": "Whether everybody can see who has which seat."})
    title = Title(required=True, allow_none=True, metadata={"description": "The game's title. null: no title."})
    private = Flag(required=True, metadata={"description": "Whether the game is private."})


class AcceptingSchema(Schema):
    """How a player accepts an invitation."""

    entropy = entropy_field()


class DecliningSchema(Schema):
    """Why a player declines an invitation."""

    reason = Named(
        DECLINE_REASON,
        load_default="unspecified",
        metadata={"description": "The reason, which the game's owner sees. If left out, `unspecified`."},
    )


class FreeSeatSchema(Schema):
    """The seat to remove."""

    seat = seat_field(required=True, metadata={"description": "The number of a free seat."})


class HandingOverSchema(CheckedSchema):
    """The new owner of a game: the player in a seat, or a player by name."""

    player = _player(
        "The id or the name of a player who has a seat in the game. Not allowed as long as the game hides its players.",
        required=False,
    )
    seat = seat_field(metadata={"description": "The seat of the player, instead of `player`."})

    def check(self, parts: dict[str, Any]) -> None:
        """Require either the player or the seat."""
        if ("player" in parts) == ("seat" in parts):
            raise ValidationError({"player": ["Required, unless `seat` is given. Not allowed with `seat`."]})


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
    invitations = fields.List(
        fields.Nested(InvitationSchema),
        required=True,
        metadata={"description": "The invitations to the game, oldest first. Only the owner sees them."},
    )
    rematch_of = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The id of the game of which this game is a rematch. null: no rematch."},
    )
    rematch = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The id of the newest rematch of this game. null: none."},
    )
    reserved = fields.List(
        fields.Nested(ReservedSeatSchema),
        required=True,
        metadata={"description": "The seats of a rematch that are kept for players, in seat order."},
    )
    reserved_until = nullable_milliseconds("Until when these seats are kept", "no seat is reserved")


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
