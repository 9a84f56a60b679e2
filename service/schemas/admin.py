"""The host: schemas for the host's requests and their responses, and for announcements."""

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
"""The patterns of cursors: the first for lists of players, the second for the audit log."""

REGISTRATION_SETTING = NamedType(
    "RegistrationSetting",
    "Who may register. `open`: anybody. `code`: anybody who knows the code in the service's settings. `closed`: "
    "nobody. `setting`: the mode from the service's settings applies.",
    [*MODES, SETTING],
)
ACT_VIA = NamedType("ActVia", "Whether the host acted on the command line or over HTTP.", [COMMAND_LINE, HTTP])


def _text(most: int, description: str, **kwargs: Any) -> fields.String:
    return fields.String(
        validate=matching(f"{TEXT}{{1,{most}}}", f"Must be 1 to {most} characters, without control characters."),
        metadata={"description": description, "pattern": f"^[^\\x00-\\x1f\\x7f]{{1,{most}}}$"},
        **kwargs,
    )


def _reason(who_sees: str, **kwargs: Any) -> fields.String:
    return _text(REASON_LENGTH, f"The host's reason. {who_sees}", **kwargs)


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
            "description": f"{description}, in milliseconds since 1970-01-01 UTC. If omitted or `null`, {default}.",
            "format": "int64",
        },
        **kwargs,
    )


def _next(sent_as: str) -> fields.String:
    return fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": f"The value to send as `{sent_as}` to get the next page, or `null` if this is the last page."
        },
    )


# Requests


class PlayersQuerySchema(Schema):
    """Which players to list."""

    name = fields.String(
        load_default="",
        validate=matching(PREFIX, "Must be 0 to 20 ASCII letters, digits, _ or -."),
        metadata={
            "description": "The beginning of a player's current or earlier name. By default, all players are listed.",
            "pattern": f"^{PREFIX}$",
            "example": "cat",
        },
    )
    cursor = fields.String(
        validate=matching(PLACE, "Must be the value of `next` from an earlier page."),
        metadata={
            "description": "The value of `next` on the previous page. By default, you get the first page.",
            "pattern": f"^{PLACE}$",
            "example": "0-1024",
        },
    )
    limit = _limit()


class HostsGamesQuerySchema(Schema):
    """Which games to list."""

    status = fields.String(
        validate=validate.OneOf([*STATUSES, "substitute"]),
        metadata={
            "description": "List only games with this status. By default, the list contains all games of `player`, "
            "or all running games if you send no `player`. `cancelled` requires `player`.",
            "example": "running",
        },
    )
    player = fields.String(
        validate=validate.Length(1, 40),
        metadata={
            "description": "The id or the name of a player. List only games in which this player has or had a seat.",
            "example": "Caterina",
        },
    )
    cursor = fields.String(
        validate=validate.Length(max=200),
        metadata={
            "description": "The value of `next` on the previous page. By default, you get the first page.",
            "example": "MTc5NTAwMDAwMDAwMCAxN2g4cTJ2NWMwbXprNHI5dGQ",
        },
    )
    limit = _limit()


class AuditQuerySchema(Schema):
    """Which page of the audit log to return."""

    before = fields.String(
        validate=matching(LINE, "Must be the value of `next` from an earlier page."),
        metadata={
            "description": "The value of `next` on the previous page. By default, you get the first page.",
            "pattern": f"^{LINE}$",
            "example": "1795000000000-0",
        },
    )
    limit = _limit()


class SuspensionSchema(Schema):
    """Why a player is suspended."""

    reason = _reason("The player can see the reason.", required=True)


class HostsReasonSchema(Schema):
    """The host's reason for an action."""

    reason = _reason("Only the audit log shows the reason.", required=True)


class RenamingSchema(HostsReasonSchema):
    """A new name for a player."""

    name = fields.String(
        required=True,
        validate=matching(
            NAME, "Must be 2 to 20 ASCII letters, digits, _ or -, and must begin with a letter or digit."
        ),
        metadata={
            "description": "The player's name. No two players can have the same name, and names that differ "
            "only in case count as the same.",
            "pattern": f"^{NAME}$",
        },
    )


class CancellingSchema(Schema):
    """Why a game is cancelled."""

    reason = _reason("The players can see the reason, and it stays in the game's log.", required=True)


class GivingSchema(HostsReasonSchema):
    """The seat to give to a bot, and the bot that will play it."""

    seat = seat_field(required=True, metadata={"description": "The number of the seat."})
    bot = Named(
        BOT_KEY,
        load_default="steady",
        metadata={"description": "The key of the bot that will play the seat. The default is `steady`."},
    )


class HostsTitleSchema(HostsReasonSchema):
    """A new title for a game."""

    title = Title(
        required=True, allow_none=True, metadata={"description": "The new title, or `null` to remove the title."}
    )


class RegistrationModeSchema(Schema):
    """How players can register."""

    mode = Named(REGISTRATION_SETTING, required=True, metadata={"description": "How players can register from now on."})
    reason = _reason(
        "Only the audit log shows the reason. If omitted or `null`, no reason is recorded.",
        load_default=None,
        allow_none=True,
    )


class ReadOnlySwitchSchema(Schema):
    """Whether the service is read-only."""

    on = Flag(required=True, metadata={"description": "Whether the service is read-only from now on."})
    reason = _reason(
        "Only hosts can see the reason. If omitted or `null`, no reason is recorded.",
        load_default=None,
        allow_none=True,
    )


class AnnouncingSchema(Schema):
    """A new announcement."""

    text = _text(ANNOUNCEMENT_LENGTH, "The text of the announcement.", required=True)
    from_ = _moment("When the announcement appears", "the announcement appears immediately", data_key="from")
    until = _moment("When the announcement ends", "the announcement stays until you remove it")


# Responses


class FoundPlayerSchema(Schema):
    """A player, with everything that the host may see."""

    id = fields.String(required=True, metadata={"description": "The id of the player."})
    name = fields.String(required=True, metadata={"description": "The name of the player."})
    registered = milliseconds("When the player registered")
    suspended = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Why the player is suspended, or `null` if the player is not suspended."},
    )


class FoundPlayersSchema(Schema):
    """A page of players, in no particular order. A page can be empty even if more pages follow."""

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
    """A player with their webhooks and games."""

    webhooks = fields.Integer(required=True, metadata={"description": "How many webhooks the player has."})
    active_webhooks = fields.Integer(
        required=True, metadata={"description": "How many of the player's webhooks are active."}
    )
    games = fields.List(
        fields.Nested(GameOfPlayerSchema),
        required=True,
        metadata={"description": "The player's 20 most recently changed games."},
    )


class FoundGameSchema(Schema):
    """A game in the host's list of games."""

    id = fields.String(required=True, metadata={"description": "The id of the game."})
    status = Named(GAME_STATUS, required=True, metadata={"description": "The status of the game."})
    title = Title(
        required=True, allow_none=True, metadata={"description": "The game's title, or `null` if it has no title."}
    )
    private = Flag(required=True, metadata={"description": "Whether the game is private."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    owner = fields.String(required=True, metadata={"description": "The id of the game's owner."})
    owner_name = name_field("the player was deleted")
    opened_at = milliseconds("When the game was opened")
    changed_at = milliseconds("When the game last changed")
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
        metadata={"description": "The name of the player, or `null` if the player's data cannot be read."},
    )


class HostsSeatSchema(SeatedSchema):
    """A seat as the host sees it."""

    name = fields.String(required=True, allow_none=True, metadata={"description": "The name of the player."})
    given_at = nullable_milliseconds("When the player's seat was given to the bot", "the seat was not given to a bot")
    resigned = fields.Boolean(required=True, metadata={"description": "Whether the seat has resigned."})


class HostsClockSchema(Schema):
    """A clock as the host sees it."""

    settings = fields.Nested(
        ClockSettingsSchema,
        required=True,
        metadata={"description": "The clock that was chosen when the game was opened."},
    )
    paused_since = nullable_milliseconds("When the pause began", "the game is not paused")
    deadline = nullable_milliseconds("When the time for the current turn runs out", "no clock is running")
    turn_since = nullable_milliseconds("When the current turn began", "no clock is running")


class HostsGameSchema(Schema):
    """A game as the host sees it, without hands, cards or seed."""

    id = fields.String(required=True, metadata={"description": "The id of the game."})
    status = Named(GAME_STATUS, required=True, metadata={"description": "The status of the game."})
    title = Title(
        required=True, allow_none=True, metadata={"description": "The game's title, or `null` if it has no title."}
    )
    private = Flag(required=True, metadata={"description": "Whether the game is private."})
    version = fields.Integer(required=True, metadata={"description": "The version of the game."})
    edition = Named(EDITION_KEY, required=True, metadata={"description": "The edition of the game."})
    owner = fields.Nested(OwnerSchema, required=True, metadata={"description": "The game's owner."})
    opened_at = milliseconds("When the game was opened")
    changed_at = milliseconds("When the game last changed")
    seats = fields.List(
        fields.Nested(HostsSeatSchema), required=True, metadata={"description": "The seats, in seat order."}
    )
    seat_to_act = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The seat that the game is waiting for."}
    )
    clock = fields.Nested(
        HostsClockSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The clock, or `null` if the game has no clock."},
    )
    cancelled = fields.Nested(
        CancellationSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Who cancelled the game, and why. `null` if the game was not cancelled."},
    )


class ReadOnlySchema(Schema):
    """When and why the service became read-only."""

    since = nullable_milliseconds("When the service became read-only", "the time is unknown")
    reason = fields.String(
        required=True, allow_none=True, metadata={"description": "The host's reason, or `null` if the host gave none."}
    )


class SwitchesSchema(Schema):
    """The settings that the host can change while the service is running."""

    registration = Named(REGISTRATION_SETTING, required=True, metadata={"description": "How players can register."})
    read_only = fields.Nested(
        ReadOnlySchema,
        required=True,
        allow_none=True,
        metadata={"description": "When and why the service became read-only. `null` if the service is not read-only."},
    )


class AnnouncementSchema(Schema):
    """An announcement by the host."""

    id = fields.String(required=True, metadata={"description": "The id of the announcement."})
    text = fields.String(required=True, metadata={"description": "The text of the announcement."})
    from_ = fields.Integer(
        required=True,
        data_key="from",
        metadata={
            "description": "When the announcement appears, in milliseconds since 1970-01-01 UTC.",
            "format": "int64",
        },
    )
    until = nullable_milliseconds("When the announcement ends", "the announcement stays until the host removes it")


class AnnouncementListSchema(Schema):
    """The host's announcements, earliest first."""

    announcements = fields.List(
        fields.Nested(AnnouncementSchema), required=True, metadata={"description": "The announcements, earliest first."}
    )


class ActDetailsSchema(Schema):
    """Details of an action in the audit log. The members depend on the kind of action."""

    before = fields.String(metadata={"description": "The player's previous name."})
    after = fields.String(metadata={"description": "The player's new name."})
    seat = fields.Integer(metadata={"description": "The seat that was given to a bot."})
    bot = Named(BOT_KEY, metadata={"description": "The bot that got the seat."})
    mode = fields.String(metadata={"description": "How players can register after the action."})
    on = fields.Boolean(metadata={"description": "Whether the service became read-only."})
    announcement = fields.String(metadata={"description": "The id of the announcement that was created or removed."})
    text = fields.String(metadata={"description": "The text of the announcement."})
    from_ = fields.Integer(
        data_key="from",
        metadata={
            "description": "When the announcement appears, in milliseconds since 1970-01-01 UTC.",
            "format": "int64",
        },
    )
    until = fields.Integer(
        metadata={
            "description": "When the announcement ends, in milliseconds since 1970-01-01 UTC.",
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
            "description": "When the token expires, in milliseconds since 1970-01-01 UTC.",
            "format": "int64",
        }
    )
    line = fields.String(metadata={"description": "The id of the audit log line for the action that failed."})
    error = fields.String(
        metadata={"description": "Why the action failed: the code of a problem, or the name of an error."}
    )


class AuditLineSchema(Schema):
    """A line of the audit log. A member is `null` if the server cannot read its value."""

    id = fields.String(required=True, metadata={"description": "The id of the line."})
    at = milliseconds("When the action was recorded in the log")
    via = Named(
        ACT_VIA,
        required=True,
        allow_none=True,
        metadata={"description": "Whether the host acted on the command line or over HTTP."},
    )
    by = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "Who acted: a user name on the server's machine (for the command line) or a player's id "
            "(for HTTP)."
        },
    )
    token = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The name of the token that the host used over HTTP."},
    )
    act = fields.String(required=True, allow_none=True, metadata={"description": "The kind of action."})
    target = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The id of the player or game that the action was about."},
    )
    reason = fields.String(
        required=True, allow_none=True, metadata={"description": "The host's reason, or `null` if the host gave none."}
    )
    details = fields.Nested(
        ActDetailsSchema,
        required=True,
        metadata={"description": "Details, which depend on the kind of action."},
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
    by = fields.String(required=True, metadata={"description": "The id of the player who reported the message."})
    by_name = name_field("the player was deleted")
    reason = fields.String(required=True, metadata={"description": "The reason that the player gave for the report."})
    game = fields.String(required=True, metadata={"description": "The id of the game."})
    message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The message, or `null` if the server cannot read it."},
    )


class ReportListSchema(Schema):
    """The reports that the host has not settled."""

    reports = fields.List(
        fields.Nested(ReportSchema), required=True, metadata={"description": "The reports, oldest first."}
    )


class SettlingSchema(HostsReasonSchema):
    """How to settle a report."""

    remove = Flag(
        load_default=False,
        metadata={
            "description": "Whether to remove the message's text, so that nobody can read it any more. The default is "
            "`false`."
        },
    )
