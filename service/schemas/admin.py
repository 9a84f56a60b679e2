"""The host's requests, the responses to them, and the announcements that everybody sees."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from ..admin.acts import COMMAND_LINE, HTTP
from ..admin.switching import MODES, SETTING
from .accounts import TOKEN_SCOPE
from .clocks import ClockSettingsSchema
from .common import Flag, Title, Whole, matching, milliseconds, name_field, nullable_milliseconds, seat_field
from .games import GAME_STATUS, STATUSES, CancellationSchema, SeatedSchema
from .named import BOT_KEY, EDITION_KEY, Named, NamedType
from .players import NAME
from .talk import MessageSchema

TEXT = r"[^\x00-\x1f\x7f\ud800-\udfff]"
REASON_LENGTH, ANNOUNCEMENT_LENGTH, PAGE = 200, 500, 100
PREFIX = "[A-Za-z0-9_-]{0,20}"
PLACE, LINE = "([0-5]?[0-9]|6[0-3])-[0-9]{1,19}", "[0-9]{1,15}-[0-9]{1,15}"
"""The patterns of two cursors: one for a list of players, and one for the audit log."""

REGISTRATION_SETTING = NamedType(
    "RegistrationSetting",
    "open: anybody may register. code: anybody with the code in the settings may register. closed: nobody may "
    "register. setting: the mode in the settings applies.",
    [*MODES, SETTING],
)
ACT_VIA = NamedType("ActVia", "Where the host's action came from.", [COMMAND_LINE, HTTP])


def _text(most: int, description: str, **kwargs: Any) -> fields.String:
    return fields.String(
        validate=matching(f"{TEXT}{{1,{most}}}", f"1 to {most} characters, without control characters."),
        metadata={"description": description, "pattern": f"^[^\\x00-\\x1f\\x7f]{{1,{most}}}$"},
        **kwargs,
    )


def _reason(who_sees: str, **kwargs: Any) -> fields.String:
    return _text(REASON_LENGTH, f"The reason for the action. {who_sees}", **kwargs)


def _limit() -> fields.Integer:
    return fields.Integer(
        load_default=20,
        validate=validate.Range(1, PAGE),
        metadata={"description": "The maximum number of entries on the page.", "example": 20},
    )


def _moment(description: str, default: str, **kwargs: Any) -> fields.Integer:
    return Whole(
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, 2**53),
        metadata={
            "description": f"{description}, in milliseconds since 1970-01-01 UTC. null or left out: {default}.",
            "format": "int64",
        },
        **kwargs,
    )


def _next(sent_as: str) -> fields.String:
    return fields.String(
        required=True,
        allow_none=True,
        metadata={"description": f"Send `next` as `{sent_as}` to get the next page. null: this is the last page."},
    )


# Requests


class PlayersQuerySchema(Schema):
    """Which players to find."""

    name = fields.String(
        load_default="",
        validate=matching(PREFIX, "0 to 20 ASCII letters, digits, _ or -."),
        metadata={
            "description": "The beginning of a player's current name or of an earlier name. If left out, all players "
            "are listed.",
            "pattern": f"^{PREFIX}$",
            "example": "cat",
        },
    )
    cursor = fields.String(
        validate=matching(PLACE, "Must be the value of `next` on an earlier page."),
        metadata={"description": "`next` of the previous page.", "pattern": f"^{PLACE}$", "example": "0-1024"},
    )
    limit = _limit()


class HostsGamesQuerySchema(Schema):
    """Which games to find."""

    status = fields.String(
        validate=validate.OneOf([*STATUSES, "substitute"]),
        metadata={
            "description": "Only games with this status. If left out, the list contains all games of `player`, or all "
            "running games if you do not send `player`. `cancelled` requires `player`.",
            "example": "running",
        },
    )
    player = fields.String(
        validate=validate.Length(1, 40),
        metadata={
            "description": "A player's id or name. Only games in which this player has had a seat are listed.",
            "example": "Caterina",
        },
    )
    cursor = fields.String(
        validate=validate.Length(max=200),
        metadata={
            "description": "`next` of the previous page.",
            "example": "MTc5NTAwMDAwMDAwMCAxN2g4cTJ2NWMwbXprNHI5dGQ",
        },
    )
    limit = _limit()


class AuditQuerySchema(Schema):
    """Where to start in the audit log."""

    before = fields.String(
        validate=matching(LINE, "Must be the value of `next` on an earlier page."),
        metadata={"description": "`next` of the previous page.", "pattern": f"^{LINE}$", "example": "1795000000000-0"},
    )
    limit = _limit()


class SuspensionSchema(Schema):
    """Why a player is suspended."""

    reason = _reason("The player sees this reason.", required=True)


class HostsReasonSchema(Schema):
    """The host's reason for an action."""

    reason = _reason("Only the audit log shows this reason.", required=True)


class RenamingSchema(HostsReasonSchema):
    """A new name for a player."""

    name = fields.String(
        required=True,
        validate=matching(NAME, "2 to 20 ASCII letters, digits, _ or -, and a letter or digit first."),
        metadata={"description": "Must be unique. Upper and lower case count as the same.", "pattern": f"^{NAME}$"},
    )


class CancellingSchema(Schema):
    """Why a game is cancelled."""

    reason = _reason("The players see this reason, and it stays in the game's events.", required=True)


class GivingSchema(HostsReasonSchema):
    """The seat to give to a bot, and the bot."""

    seat = seat_field(required=True, metadata={"description": "The seat."})
    bot = Named(
        BOT_KEY, load_default="steady", metadata={"description": "The bot that plays the seat. If left out, `steady`."}
    )


class HostsTitleSchema(HostsReasonSchema):
    """A new title for a game."""

    title = Title(required=True, allow_none=True, metadata={"description": "The new title. null: no title."})


class RegistrationModeSchema(Schema):
    """How players may register."""

    mode = Named(REGISTRATION_SETTING, required=True, metadata={"description": "How players may register from now on."})
    reason = _reason(
        "Only the audit log shows this reason. null or left out: no reason.", load_default=None, allow_none=True
    )


class ReadOnlySwitchSchema(Schema):
    """Whether the service is read-only."""

    on = Flag(required=True, metadata={"description": "Whether the service is read-only from now on."})
    reason = _reason("Only hosts see this reason. null or left out: no reason.", load_default=None, allow_none=True)


class AnnouncingSchema(Schema):
    """An announcement to make."""

    text = _text(ANNOUNCEMENT_LENGTH, "The text of the announcement.", required=True)
    from_ = _moment("When the announcement appears", "now", data_key="from")
    until = _moment("When the announcement disappears", "when you remove it")


# Responses


class FoundPlayerSchema(Schema):
    """A player, with everything that the host may see."""

    id = fields.String(required=True, metadata={"description": "The id of the player."})
    name = fields.String(required=True, metadata={"description": "The name of the player."})
    registered = milliseconds("When the player registered")
    suspended = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Why the player is suspended. null: the player is not suspended."},
    )


class FoundPlayersSchema(Schema):
    """A page of players, in no particular order. A page may be empty even if more pages follow."""

    players = fields.List(
        fields.Nested(FoundPlayerSchema), required=True, metadata={"description": "The players on the page."}
    )
    next = _next("cursor")


class GameOfPlayerSchema(Schema):
    """One of a player's games."""

    id = fields.String(required=True, metadata={"description": "The id of the game."})
    status = Named(GAME_STATUS, required=True, metadata={"description": "The status of the game."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})


class HostsPlayerSchema(FoundPlayerSchema):
    """A player, with the player's webhooks and games."""

    webhooks = fields.Integer(required=True, metadata={"description": "How many webhooks the player has."})
    active_webhooks = fields.Integer(
        required=True, metadata={"description": "How many of the player's webhooks are active."}
    )
    games = fields.List(
        fields.Nested(GameOfPlayerSchema),
        required=True,
        metadata={"description": "The player's most recently changed games, at most 20."},
    )


class FoundGameSchema(Schema):
    """A game in the host's lists."""

    id = fields.String(required=True, metadata={"description": "The id of the game."})
    status = Named(GAME_STATUS, required=True, metadata={"description": "The status of the game."})
    title = Title(required=True, allow_none=True, metadata={"description": "The game's title. null: no title."})
    private = Flag(required=True, metadata={"description": "Whether the game is private."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    owner = fields.String(required=True, metadata={"description": "The id of the player who opened the game."})
    owner_name = name_field("the player was deleted")
    opened_at = milliseconds("When the game was opened")
    changed_at = milliseconds("When this entry last changed")
    seated = fields.List(
        fields.Nested(SeatedSchema),
        required=True,
        metadata={"description": "The player or bot in each seat, in seat order."},
    )


class FoundGamesSchema(Schema):
    """A page of games, most recently changed first."""

    games = fields.List(
        fields.Nested(FoundGameSchema),
        required=True,
        metadata={"description": "The games on the page, most recently changed first."},
    )
    next = _next("cursor")


class OwnerSchema(Schema):
    """A game's owner."""

    player = fields.String(required=True, metadata={"description": "The id of the player."})
    name = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The name of the player. null: the player's data cannot be read."},
    )


class HostsSeatSchema(SeatedSchema):
    """A seat, as the host sees it."""

    name = fields.String(required=True, allow_none=True, metadata={"description": "The name of the player."})
    given_at = nullable_milliseconds("When the player's seat was given to the bot", "the seat was not given to a bot")
    resigned = fields.Boolean(required=True, metadata={"description": "Whether the seat has resigned."})


class HostsClockSchema(Schema):
    """A clock, as the host sees it."""

    settings = fields.Nested(
        ClockSettingsSchema, required=True, metadata={"description": "The clock, as chosen when the game was opened."}
    )
    paused_since = nullable_milliseconds("When the pause began", "the game is not paused")
    deadline = nullable_milliseconds("When the time of the seat to act runs out", "no clock runs")
    turn_since = nullable_milliseconds("When the turn of the seat to act began", "no clock runs")


class HostsGameSchema(Schema):
    """A game, as the host sees it: without hands, cards or seed."""

    id = fields.String(required=True, metadata={"description": "The id of the game."})
    status = Named(GAME_STATUS, required=True, metadata={"description": "The status of the game."})
    title = Title(required=True, allow_none=True, metadata={"description": "The game's title. null: no title."})
    private = Flag(required=True, metadata={"description": "Whether the game is private."})
    version = fields.Integer(required=True, metadata={"description": "The version of the game."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    owner = fields.Nested(OwnerSchema, required=True, metadata={"description": "The player who opened the game."})
    opened_at = milliseconds("When the game was opened")
    changed_at = milliseconds("When the game last changed")
    seats = fields.List(fields.Nested(HostsSeatSchema), required=True, metadata={"description": "The seats, in order."})
    seat_to_act = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The seat that the game is waiting for."}
    )
    clock = fields.Nested(
        HostsClockSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The clock. null: the game has no clock."},
    )
    cancelled = fields.Nested(
        CancellationSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Who cancelled the game, and why. null: the game was not cancelled."},
    )


class ReadOnlySchema(Schema):
    """Read-only mode."""

    since = nullable_milliseconds("When the service became read-only", "unknown")
    reason = fields.String(
        required=True, allow_none=True, metadata={"description": "The host's reason. null: the host gave none."}
    )


class SwitchesSchema(Schema):
    """The current switches."""

    registration = Named(REGISTRATION_SETTING, required=True, metadata={"description": "How players may register."})
    read_only = fields.Nested(
        ReadOnlySchema,
        required=True,
        allow_none=True,
        metadata={"description": "The read-only period. null: the service is not read-only."},
    )


class AnnouncementSchema(Schema):
    """An announcement by the host."""

    id = fields.String(required=True, metadata={"description": "The id of the announcement."})
    text = fields.String(required=True, metadata={"description": "The text of the announcement."})
    from_ = fields.Integer(
        required=True,
        data_key="from",
        metadata={
            "description": "The time from which the announcement is shown, in milliseconds since 1970-01-01 UTC.",
            "format": "int64",
        },
    )
    until = nullable_milliseconds("When the announcement disappears", "when the host removes it")


class AnnouncementListSchema(Schema):
    """Announcements, earliest first."""

    announcements = fields.List(
        fields.Nested(AnnouncementSchema), required=True, metadata={"description": "The announcements, earliest first."}
    )


class ActDetailsSchema(Schema):
    """Additional members of an action in the audit log, which depend on the kind of action."""

    before = fields.String(metadata={"description": "The player's previous name."})
    after = fields.String(metadata={"description": "The player's new name."})
    seat = fields.Integer(metadata={"description": "The seat that was given to a bot."})
    bot = Named(BOT_KEY, metadata={"description": "The bot that got the seat."})
    mode = fields.String(metadata={"description": "How players may register from then on."})
    on = fields.Boolean(metadata={"description": "Whether the service was made read-only."})
    announcement = fields.String(metadata={"description": "The id of the announcement that was made or removed."})
    text = fields.String(metadata={"description": "The text of the announcement."})
    from_ = fields.Integer(
        data_key="from",
        metadata={
            "description": "The time from which the announcement is shown, in milliseconds since 1970-01-01 UTC.",
            "format": "int64",
        },
    )
    until = fields.Integer(
        metadata={
            "description": "When the announcement disappears, in milliseconds since 1970-01-01 UTC.",
            "format": "int64",
        }
    )
    token = fields.String(metadata={"description": "The id of the token that was created or revoked."})
    report = fields.String(metadata={"description": "The id of the report that was settled."})
    message = fields.String(metadata={"description": "The id of the reported message."})
    removed = fields.Boolean(metadata={"description": "Whether the text of the message was removed."})
    name = fields.String(metadata={"description": "The name of the token."})
    scopes = fields.List(Named(TOKEN_SCOPE), metadata={"description": "What the token may be used for."})
    expires = fields.Integer(
        metadata={
            "description": "When the token stops working, in milliseconds since 1970-01-01 UTC.",
            "format": "int64",
        }
    )
    line = fields.String(metadata={"description": "The id of the line whose action was not carried out."})
    error = fields.String(
        metadata={"description": "Why the action was not carried out: the code of a problem, or the name of an error."}
    )


class AuditLineSchema(Schema):
    """A line of the audit log. Members that cannot be read are null."""

    id = fields.String(required=True, metadata={"description": "The id of the line."})
    at = milliseconds("When the action was recorded")
    via = Named(ACT_VIA, required=True, allow_none=True, metadata={"description": "Where the action came from."})
    by = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "Who acted: a user of the machine if the action came from the command line, or a player's "
            "id if it came over HTTP."
        },
    )
    token = fields.String(
        required=True, allow_none=True, metadata={"description": "The name of the token, if the action came over HTTP."}
    )
    act = fields.String(required=True, allow_none=True, metadata={"description": "What was done."})
    target = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The id of the player or game that the action was about."},
    )
    reason = fields.String(
        required=True, allow_none=True, metadata={"description": "The reason. null: the host gave none."}
    )
    details = fields.Nested(
        ActDetailsSchema,
        required=True,
        metadata={"description": "Additional members, which depend on the kind of action."},
    )


class AuditPageSchema(Schema):
    """A page of the audit log, newest line first."""

    lines = fields.List(
        fields.Nested(AuditLineSchema), required=True, metadata={"description": "The lines on the page, newest first."}
    )
    next = _next("before")


class ReportSchema(Schema):
    """A message that a player has reported."""

    id = fields.String(required=True, metadata={"description": "The id of the report."})
    at = milliseconds("When the message was reported")
    by = fields.String(required=True, metadata={"description": "The id of the player who reported it."})
    by_name = name_field("the player was deleted")
    reason = fields.String(required=True, metadata={"description": "What the player says is wrong with the message."})
    game = fields.String(required=True, metadata={"description": "The id of the game."})
    message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The message. null: the server cannot read it."},
    )


class ReportListSchema(Schema):
    """The reports that are not settled."""

    reports = fields.List(
        fields.Nested(ReportSchema), required=True, metadata={"description": "The reports, oldest first."}
    )


class SettlingSchema(HostsReasonSchema):
    """How a report is settled."""

    remove = Flag(
        load_default=False,
        metadata={"description": "true: the text of the message is removed for all its readers. If left out, false."},
    )
