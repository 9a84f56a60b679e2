"""Tables: schemas for titles, links, join codes and invitations."""

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
    "InvitationKind", "The kind of invitation. `rematch`: an invitation to another game with the same players.", KINDS
)
INVITATION_STATUS = NamedType(
    "InvitationStatus",
    "The status of an invitation. `accepted`: the player has a seat in the game. `expired`: the player did not "
    "answer in time, or the game is no longer open.",
    STATUSES,
)
INVITATION_NOTICE = NamedType(
    "InvitationNotice",
    "The type of a notice about an invitation. `invitation.received`: somebody invited you to a game. "
    "`rematch.proposed`: somebody proposed a rematch to you. `invitation.declined`: a player declined your "
    "invitation.",
    NOTICES,
    is_open=True,
)
DECLINE_REASON = NamedType(
    "DeclineReason",
    "Why a player declines. `no-time`: the player has no time. `not-interested`: the player does not want to "
    "play this game with these people. `pace`: the player wants a different clock. `edition`: the player wants a "
    "different edition or different options. `unspecified`: the player gives no reason.",
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

    kind = Named(INVITATION_KIND, required=True, metadata={"description": "The kind of invitation."})
    player = fields.String(required=True, metadata={"description": "The id of the player who is invited."})
    name = name_field("the player was deleted")
    by = fields.String(required=True, metadata={"description": "The id of the player who sent the invitation."})
    by_name = name_field("the player was deleted")
    seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The seat that is reserved for the player, or `null` if the player gets the first free seat."
        },
    )
    rematch_of = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The id of the earlier game, or `null` if this is not a rematch."},
    )
    expires_at = milliseconds("When the invitation expires")
    reason = Named(
        DECLINE_REASON,
        required=True,
        allow_none=True,
        metadata={"description": "Why the player declined, or `null` if the player has not declined."},
    )


class InvitationSchema(InvitationOfNoticeSchema):
    """An invitation to a game."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    url = fields.String(required=True, metadata={"description": "The path of the game."})
    invited_at = milliseconds("When the player was invited")
    status = Named(INVITATION_STATUS, required=True, metadata={"description": "The status of the invitation."})


class ReceivedInvitationSchema(InvitationSchema):
    """An invitation that you have not answered, and its game."""

    title = Title(
        required=True, allow_none=True, metadata={"description": "The game's title, or `null` if it has no title."}
    )
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    options = fields.Dict(
        required=True, metadata={"description": "The value of each option of the edition, by its key."}
    )
    seats = fields.Integer(required=True, metadata={"description": "The number of seats in the game."})


class InvitationListSchema(Schema):
    """The invitations that you have not answered."""

    invitations = fields.List(
        fields.Nested(ReceivedInvitationSchema),
        required=True,
        metadata={"description": "The invitations, newest first."},
    )
    next = fields.String(
        required=True,
        metadata={"description": "The value to send as `after`, with `wait`, to wait until the list changes."},
    )


class InvitingSchema(Schema):
    """The player to invite."""

    player = _player("The id or the name of the player.")
    seconds = Whole(
        load_default=USUAL,
        validate=validate.Range(SHORTEST, LONGEST),
        metadata={
            "description": f"The number of seconds after which the invitation expires. The default is {USUAL} (a week)."
        },
    )


class ProposalSchema(Schema):
    """How to propose a rematch. If somebody has already proposed a rematch, the server ignores these members."""

    bot = Named(
        BOT_KEY,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The bot that gets the seats of players who do not agree. If omitted or `null`, "
            "these seats become free for anybody."
        },
    )
    seconds = Whole(
        load_default=USUAL,
        validate=validate.Range(SHORTEST, LONGEST),
        metadata={
            "description": "The number of seconds within which the other players can agree. The default is "
            f"{USUAL} (a week)."
        },
    )


class ReservedSeatSchema(Schema):
    """A rematch seat that is reserved for a player."""

    seat = fields.Integer(required=True, metadata={"description": "The number of the seat."})
    player = fields.String(required=True, metadata={"description": "The id of the player."})
    name = name_field("the player was deleted")


class SettingsSchema(Schema):
    """A game's settings, in the form of a request to open a game."""

    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition."})
    options = fields.Dict(
        required=True, metadata={"description": "The value of each option of the edition, by its key."}
    )
    seats = fields.Integer(required=True, metadata={"description": "The number of seats."})
    bots = fields.List(
        fields.Nested(BotSeatSchema), required=True, metadata={"description": "The seats that bots play."}
    )
    start = Named(START_MODE, required=True, metadata={"description": "How the game starts."})
    clock = fields.Nested(
        ClockChoiceSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The clock, or `null` if the game has no clock."},
    )
    hints = Named(HINT_RULE, required=True, metadata={"description": "Whether players may ask for hints."})
    showing = Named(SHOWING_RULE, required=True, metadata={"description": "Whether seats may show each other cards."})
    talk = Named(TALK_RULE, required=True, metadata={"description": "To whom players may write messages."})
    names = Named(NAME_RULE, required=True, metadata={"description": "Whether everybody can see who has which seat."})
    title = Title(
        required=True, allow_none=True, metadata={"description": "The game's title, or `null` if it has no title."}
    )
    private = Flag(required=True, metadata={"description": "Whether the game is private."})


class AcceptingSchema(Schema):
    """The answer with which a player accepts an invitation."""

    entropy = entropy_field()


class DecliningSchema(Schema):
    """Why a player declines an invitation."""

    reason = Named(
        DECLINE_REASON,
        load_default="unspecified",
        metadata={"description": "The reason, which the game's owner can see. The default is `unspecified`."},
    )


class FreeSeatSchema(Schema):
    """The seat to remove."""

    seat = seat_field(required=True, metadata={"description": "The number of a free seat."})


class HandingOverSchema(CheckedSchema):
    """The new owner of a game. Name either the player or the player's seat."""

    player = _player(
        "The id or the name of a player who has a seat in the game. While the game hides its players, send "
        "`seat` instead.",
        required=False,
    )
    seat = seat_field(metadata={"description": "The seat of the player. Send either `seat` or `player`."})

    def check(self, parts: dict[str, Any]) -> None:
        """Require either the player or the seat, but not both. Raises: ValidationError."""
        if ("player" in parts) == ("seat" in parts):
            raise ValidationError({"player": ["Send either `player` or `seat`."]})


class LinkSchema(Schema):
    """The link of a private game."""

    secret = fields.String(
        required=True,
        metadata={
            "description": "The secret of the link. Send the secret in the `Game-Link` header to see and join the "
            "game.",
            "pattern": "^[A-Za-z0-9_-]{22}$",
            "example": "0hXPaBzLOy3wq2uQd2pRkA",
        },
    )
    url = fields.String(
        required=True,
        metadata={
            "description": "The path of the game's page in the browser, with the secret in the fragment (after `#`)."
        },
    )


class TableSchema(Schema):
    """Information about a game, such as its title and its link, which is not part of the game's event log."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    title = Title(
        required=True, allow_none=True, metadata={"description": "The game's title, or `null` if it has no title."}
    )
    private = Flag(required=True, metadata={"description": "Whether the game is private."})
    link = fields.Nested(
        LinkSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "The link of a private game. `null` if the game is not private, or if you neither own it "
            "nor have a seat in it."
        },
    )
    invitations = fields.List(
        fields.Nested(InvitationSchema),
        required=True,
        metadata={
            "description": "The invitations to the game, oldest first. For anybody but the owner, the list is empty."
        },
    )
    rematch_of = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The id of the game that this game is a rematch of, or `null` if it is not a rematch."
        },
    )
    rematch = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The id of the newest rematch of this game, or `null` if it has no rematch."},
    )
    reserved = fields.List(
        fields.Nested(ReservedSeatSchema),
        required=True,
        metadata={"description": "The seats of a rematch that are reserved for players, in seat order."},
    )
    reserved_until = nullable_milliseconds("When the seat reservations expire", "no seat is reserved")


class NewTitleSchema(Schema):
    """A new title for a game."""

    title = Title(
        required=True, allow_none=True, metadata={"description": "The new title, or `null` to remove the title."}
    )


class JoinCodeSchema(Schema):
    """A join code, which people can use to find a private game."""

    code = fields.String(
        required=True,
        metadata={
            "description": "The code, which is short enough to type or read out.",
            "pattern": code_pattern(JOIN_GROUPS),
            "example": "K7QM-310W",
        },
    )
    expires_at = milliseconds("When the code expires")


class ReceivedCodeSchema(Schema):
    """The join code that you received."""

    code = fields.String(
        required=True,
        metadata={
            "description": "The code. Case, hyphens and spaces do not matter.",
            "example": "K7QM-310W",
            "maxLength": 40,
        },
    )


class GameOfCodeSchema(Schema):
    """The private game to which a join code belongs."""

    game = fields.String(required=True, metadata={"description": "The id of the game."})
    link = fields.Nested(LinkSchema, required=True, metadata={"description": "The link of the game."})
