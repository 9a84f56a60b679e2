"""Clocks: schemas for choosing a game's clock, for the clock as players see it, and for players' hours."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate

from ..clocks.nights import LONGEST_NIGHT, WEEKDAYS, is_zone, night_hours
from ..clocks.settings import (
    AT_TIMEOUT,
    KINDS,
    LONGEST,
    MOST_MISSES,
    PASS,
    PER_MOVE,
    SHORTEST,
    SHORTEST_EXTENSION,
    SHORTEST_INCREMENT,
    SLEEPLESS,
    ClockSettings,
)
from .common import CheckedSchema, Flag, Whole, label_field, matching, milliseconds
from .named import BOT_KEY, Named, NamedType

HOUR = "([01][0-9]|2[0-3]):[0-5][0-9]"
CLOCK_KIND = NamedType(
    "ClockKind",
    "`per-move`: every move has the same time limit. `bank`: each seat has a stock of time (its bank), which "
    "grows with each move.",
    KINDS,
)
WEEKDAY = NamedType("Weekday", "A day of the week.", WEEKDAYS)
TIMEOUT_ACTION = NamedType(
    "TimeoutAction",
    "What happens when a player's time runs out. `pass`: the server makes the least committing move for the player, "
    "such as a pass. `bot`: a bot plays the seat until the player takes it back. `open-seat`: another "
    "player may take the seat. `resign`: the seat resigns and cannot return.",
    AT_TIMEOUT,
)
STOP_REASON = NamedType(
    "StopReason",
    "Why a clock is stopped during a period.",
    ["night", "day-off", "vacation", "outage", "pause"],
    is_open=True,
)


def span(description: str, **kwargs: Any) -> fields.Integer:
    """Return a field for a duration in milliseconds."""
    metadata = {"description": f"{description}, in milliseconds.", "format": "int64"}
    return fields.Integer(required=True, metadata=metadata, **kwargs)


def _seconds(fewest: int, most: int, description: str, *, bank_only: bool = False, **kwargs: Any) -> fields.Integer:
    ranged = validate.Range(fewest, most)
    bank = " Required if `kind` is `bank`. Not allowed if `kind` is `per-move`." if bank_only else ""
    text = f"{description}, in seconds.{bank}"
    return Whole(validate=ranged, metadata={"description": text}, **kwargs)


class ClockChoiceSchema(Schema):
    """The clock for a game. Members that you leave out get their default values."""

    kind = Named(CLOCK_KIND, required=True, metadata={"description": "The kind of clock."})
    seconds = _seconds(
        SHORTEST, LONGEST, "The time for each move or, with banks, the time in each bank at the start", required=True
    )
    increment = _seconds(SHORTEST_INCREMENT, LONGEST, "The time that each move adds to the seat's bank", bank_only=True)
    cap = _seconds(SHORTEST, LONGEST, "The maximum time in a bank", bank_only=True)
    days_off = fields.List(
        Named(WEEKDAY),
        load_default=list,
        validate=validate.Length(max=len(WEEKDAYS) - 1),
        metadata={
            "description": "Weekdays on which no clock runs, in the time zone of the player whose turn it is. By "
            "default, there are no days off."
        },
    )
    sleep_hours = Flag(
        metadata={
            "description": "Whether a player's clock stops during the player's night. The default is `true` if "
            "`seconds` or `cap` is at least 12 hours, and `false` otherwise."
        }
    )
    vacation = Flag(
        metadata={
            "description": "Whether a player's clock stops during the player's vacation. The default is the same as "
            "for `sleep_hours`."
        }
    )
    at_timeout = Named(
        TIMEOUT_ACTION,
        load_default=PASS,
        metadata={"description": "What happens when a player's time runs out. The default is `pass`."},
    )
    misses = Whole(
        load_default=1,
        validate=validate.Range(1, MOST_MISSES),
        metadata={
            "description": "The number of consecutive timeouts after which `at_timeout` applies. At earlier "
            "timeouts, `pass` "
            "applies. The default is 1."
        },
    )
    bot = Named(
        BOT_KEY,
        load_default="steady",
        metadata={"description": "The bot that takes over the seat if `at_timeout` is `bot`. The default is `steady`."},
    )

    @post_load
    def to_value(self, data: dict[str, Any], **kwargs: Any) -> ClockSettings:
        """Return the clock. Raises: ValidationError if its parts contradict each other."""
        del kwargs
        if data["kind"] == PER_MOVE:
            errors = {name: ["Allowed only if `kind` is `bank`."] for name in ("increment", "cap") if name in data}
        else:
            errors = {name: ["Required if `kind` is `bank`."] for name in ("increment", "cap") if name not in data}
            if not errors and data["cap"] < max(data["seconds"], data["increment"]):
                errors = {"cap": ["Must be at least `seconds` and at least `increment`."]}
        if errors:
            raise ValidationError(errors)
        cap = data.get("cap", 0)
        has_habits = max(data["seconds"], cap) >= SLEEPLESS
        return ClockSettings(
            kind=data["kind"],
            seconds=data["seconds"],
            increment=data.get("increment", 0),
            cap=cap,
            days_off=tuple(dict.fromkeys(data["days_off"])),
            sleep_hours=data.get("sleep_hours", has_habits),
            vacation=data.get("vacation", has_habits),
            at_timeout=data["at_timeout"],
            misses=data["misses"],
            bot=data["bot"],
        )


class ClockSettingsSchema(Schema):
    """The clock that was chosen when the game was opened."""

    kind = Named(CLOCK_KIND, required=True, metadata={"description": "The kind of clock."})
    seconds = fields.Integer(
        required=True,
        metadata={
            "description": "The time for each move or, with banks, the time in each bank at the start, in seconds."
        },
    )
    increment = fields.Integer(
        required=True,
        metadata={
            "description": "The time that each move adds to a bank, in seconds. The value is 0 if there are no banks."
        },
    )
    cap = fields.Integer(
        required=True,
        metadata={"description": "The maximum time in a bank, in seconds. The value is 0 if there are no banks."},
    )
    days_off = fields.List(
        Named(WEEKDAY),
        required=True,
        metadata={"description": "Weekdays on which no clock runs, in the time zone of the player whose turn it is."},
    )
    sleep_hours = fields.Boolean(
        required=True, metadata={"description": "Whether a player's clock stops during the player's night."}
    )
    vacation = fields.Boolean(
        required=True, metadata={"description": "Whether a player's clock stops during the player's vacation."}
    )
    at_timeout = Named(
        TIMEOUT_ACTION, required=True, metadata={"description": "What happens when a player's time runs out."}
    )
    misses = fields.Integer(
        required=True,
        metadata={
            "description": "The number of consecutive timeouts after which `at_timeout` applies. At earlier "
            "timeouts, `pass` applies."
        },
    )
    bot = Named(
        BOT_KEY,
        required=True,
        metadata={"description": "The bot that takes over the seat if `at_timeout` is `bot`."},
    )
    label = label_field()


class StopSchema(Schema):
    """A period during which the clock is stopped."""

    begin = milliseconds("When the period begins")
    until = milliseconds("When the period ends")
    reason = Named(STOP_REASON, required=True, metadata={"description": "Why the clock is stopped."})


class TurnClockSchema(Schema):
    """The turn whose clock is running."""

    seat = fields.Integer(required=True, metadata={"description": "The seat whose turn it is."})
    since = milliseconds("When the turn began")
    deadline = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When the time for the turn runs out, in milliseconds since 1970-01-01 UTC. `null` if "
            "the game is paused.",
            "format": "int64",
        },
    )
    allowance = span("The time allowed for the turn")
    extra = span("The extra time that the other players have granted")
    stops = fields.List(
        fields.Nested(StopSchema),
        required=True,
        metadata={"description": "The periods during which the clock is stopped."},
    )
    why = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Sentences that explain how the deadline was computed."},
    )


class ExtensionSchema(Schema):
    """A request for more time (an extension) that has not been granted yet."""

    extra = span("How much more time the player asked for")
    agreed = fields.List(fields.Integer(), required=True, metadata={"description": "The seats that have agreed."})


class GameClockSchema(Schema):
    """The clock of a game."""

    settings = fields.Nested(
        ClockSettingsSchema,
        required=True,
        metadata={"description": "The clock that was chosen when the game was opened."},
    )
    advanced = fields.Integer(
        metadata={
            "description": "The total time by which the owner has advanced the clock for tests, in milliseconds. "
            "Omitted if the owner has never advanced the clock.",
            "format": "int64",
        }
    )
    banks = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata={
            "description": "The time in each seat's bank when the seat's last turn ended, in milliseconds. `null` "
            "if there are no banks."
        },
    )
    misses = fields.List(
        fields.Integer(),
        required=True,
        metadata={"description": "The number of consecutive timeouts of each seat, in seat order."},
    )
    paused_since = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When the pause began, in milliseconds since 1970-01-01 UTC. `null` if the game is not "
            "paused.",
            "format": "int64",
        },
    )
    pause_asked = fields.List(
        fields.Integer(), required=True, metadata={"description": "The seats that have asked for a pause."}
    )
    extension = fields.Nested(
        ExtensionSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The extra time that the seat to move has asked for. `null` if it asked for none."},
    )
    turn = fields.Nested(
        TurnClockSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The turn whose clock is running, or `null` if no clock is running."},
    )


class ExtensionChoiceSchema(Schema):
    """How much more time to ask for, or to agree to."""

    seconds = _seconds(SHORTEST_EXTENSION, LONGEST, "How much more time to ask for, or to agree to", required=True)


class AdvanceSchema(CheckedSchema):
    """How far to advance the clock. Send either `seconds` or `until`."""

    seconds = Whole(
        validate=validate.Range(1, LONGEST),
        metadata={"description": "How many seconds of the turn's time to skip, not counting nights and other stops."},
    )
    until = Whole(
        validate=validate.Range(min=0),
        metadata={
            "description": "The time until which to advance the clock, such as the turn's `deadline`, in "
            "milliseconds since 1970-01-01 UTC.",
            "format": "int64",
        },
    )

    def check(self, parts: dict[str, Any]) -> None:
        """Require either `seconds` or `until`, but not both. Raises: ValidationError."""
        if len(parts) != 1:
            raise ValidationError({name: ["Send either `seconds` or `until`."] for name in ("seconds", "until")})


def _hour(name: str, description: str) -> fields.String:
    return fields.String(
        required=True,
        data_key=name,
        validate=matching(HOUR, "Must be a time of day, such as 23:00."),
        metadata={"description": description, "pattern": f"^{HOUR}$", "example": "23:00"},
    )


class NightSchema(Schema):
    """The player's night in local time, during which the player's clocks stop."""

    begin = _hour("from", "When the night begins.")
    until = _hour("until", "When the night ends.")

    @post_load
    def to_value(self, data: dict[str, str], **kwargs: Any) -> tuple[str, str]:
        """Return when the night begins and ends. Raises: ValidationError if the night is empty or too long."""
        del kwargs
        night = data["begin"], data["until"]
        if not 0 < night_hours(night) <= LONGEST_NIGHT:
            raise ValidationError(f"A night must be longer than 0 hours, and at most {LONGEST_NIGHT} hours long.")
        return night


def known_zone(name: str) -> None:
    if not is_zone(name):
        raise ValidationError("Must be a name from the IANA time zone database, such as Europe/Rome.")


class HabitsSchema(Schema):
    """Changes to a player's hours. The changes apply from the player's next turn."""

    zone = fields.String(
        data_key="time_zone",
        validate=known_zone,
        metadata={
            "description": "Your time zone, as a name from the IANA time zone database.",
            "example": "Europe/Rome",
        },
    )
    sleep = fields.Nested(
        NightSchema,
        allow_none=True,
        metadata={"description": "Your night, during which your clocks stop. Send `null` to remove it."},
    )
    auto_vacation = Flag(
        metadata={
            "description": "Whether a vacation begins automatically one minute before the player's time runs out."
        }
    )


class VacationChoiceSchema(Schema):
    """How long a vacation lasts."""

    until = Whole(
        validate=validate.Range(min=0),
        metadata={
            "description": "When the vacation ends, in milliseconds since 1970-01-01 UTC. By default, the vacation "
            "lasts until no vacation time is left.",
            "format": "int64",
        },
    )


class VacationSchema(Schema):
    """A player's vacation.

    A player earns three hours of vacation for every day that is not a vacation day, and can save up to thirty days.
    """

    left = span("How much vacation time is left")
    away = fields.Boolean(required=True, metadata={"description": "Whether the player is on vacation."})
    until = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "When the vacation ends, in milliseconds since 1970-01-01 UTC.", "format": "int64"},
    )


class HoursSchema(Schema):
    """The times at which a player's clocks stop."""

    time_zone = fields.String(
        required=True, metadata={"description": "The player's time zone, as a name from the IANA time zone database."}
    )
    sleep = fields.Nested(
        NightSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "The player's night, during which the player's clocks stop. `null` if the player has not "
            "set a night."
        },
    )
    auto_vacation = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether a vacation begins automatically one minute before the player's time runs out."
        },
    )
    vacation = fields.Nested(VacationSchema, required=True, metadata={"description": "The player's vacation."})
