"""Clocks: choosing one for a game, and what a caller sees of it."""

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
    SLEEPLESS,
    ClockSettings,
)
from .common import BOT_KEYS, Flag, matching, milliseconds

HOUR = "([01][0-9]|2[0-3]):[0-5][0-9]"
SHORTEST_INCREMENT = 60


def span(description: str, **kwargs: Any) -> fields.Integer:
    """Return a field for a span of time in milliseconds."""
    return fields.Integer(required=True, metadata={"description": f"{description}, in milliseconds."}, **kwargs)


def _seconds(fewest: int, most: int, description: str, **kwargs: Any) -> fields.Integer:
    ranged = validate.Range(fewest, most)
    return fields.Integer(
        strict=True, validate=ranged, metadata={"description": f"{description}, in seconds."}, **kwargs
    )


class ClockChoiceSchema(Schema):
    """The clock that a game is to be played with; what is left out takes its default."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf(KINDS),
        metadata={"description": "per-move: so long for each move. bank: a bank that gains with each move."},
    )
    seconds = _seconds(
        SHORTEST, LONGEST, "What each move is given, or what is in each bank at the start", required=True
    )
    increment = _seconds(SHORTEST_INCREMENT, LONGEST, "What a bank gains with each move; bank only, required there")
    cap = _seconds(SHORTEST, LONGEST, "The most that a bank holds; bank only, required there")
    days_off = fields.List(
        fields.String(validate=validate.OneOf(WEEKDAYS)),
        load_default=list,
        validate=validate.Length(max=len(WEEKDAYS) - 1),
        metadata={"description": "Weekdays on which no clock runs, each in its player's time zone."},
    )
    sleep_hours = Flag(
        metadata={"description": "Whether players' nights stop their clocks; yes if left out and a move has 12 h."}
    )
    vacation = Flag(
        metadata={"description": "Whether players' vacations stop their clocks; yes if left out and a move has 12 h."}
    )
    at_timeout = fields.String(
        load_default=PASS,
        validate=validate.OneOf(AT_TIMEOUT),
        metadata={
            "description": "pass: the least committing move is made. bot: a bot takes the seat, until its player takes "
            "it back. open-seat: anybody may take the seat. resign: the seat resigns."
        },
    )
    misses = fields.Integer(
        strict=True,
        load_default=1,
        validate=validate.Range(1, MOST_MISSES),
        metadata={"description": "After so many timeouts of a seat in a row; before that, pass."},
    )
    bot = fields.String(
        load_default="steady", validate=validate.OneOf(BOT_KEYS), metadata={"description": "The bot that takes a seat."}
    )

    @post_load
    def made(self, asked: dict[str, Any], **kwargs: Any) -> ClockSettings:
        """Return the clock. Raises: ValidationError where its parts do not go together."""
        del kwargs
        if asked["kind"] == PER_MOVE:
            wrong = {name: ["Allowed only with kind bank."] for name in ("increment", "cap") if name in asked}
        else:
            wrong = {name: ["Required with kind bank."] for name in ("increment", "cap") if name not in asked}
            if not wrong and asked["cap"] < max(asked["seconds"], asked["increment"]):
                wrong = {"cap": ["Must be at least seconds and at least increment."]}
        if wrong:
            raise ValidationError(wrong)
        cap = asked.get("cap", 0)
        counted = max(asked["seconds"], cap) >= SLEEPLESS
        return ClockSettings(
            kind=asked["kind"],
            seconds=asked["seconds"],
            increment=asked.get("increment", 0),
            cap=cap,
            days_off=tuple(dict.fromkeys(asked["days_off"])),
            sleep_hours=asked.get("sleep_hours", counted),
            vacation=asked.get("vacation", counted),
            at_timeout=asked["at_timeout"],
            misses=asked["misses"],
            bot=asked["bot"],
        )


class ClockSettingsSchema(Schema):
    """The clock that a table has chosen."""

    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    seconds = fields.Integer(required=True)
    increment = fields.Integer(required=True, metadata={"description": "In seconds; 0 without banks."})
    cap = fields.Integer(required=True, metadata={"description": "In seconds; 0 without banks."})
    days_off = fields.List(fields.String(validate=validate.OneOf(WEEKDAYS)), required=True)
    sleep_hours = fields.Boolean(required=True)
    vacation = fields.Boolean(required=True)
    at_timeout = fields.String(required=True, validate=validate.OneOf(AT_TIMEOUT))
    misses = fields.Integer(required=True)
    bot = fields.String(required=True)


class StopSchema(Schema):
    """A stretch of time that does not count."""

    begin = milliseconds("From when")
    until = milliseconds("To before when")
    reason = fields.String(required=True, validate=validate.OneOf(["night", "day-off", "vacation", "outage", "pause"]))


class TurnClockSchema(Schema):
    """The turn whose clock runs."""

    seat = fields.Integer(required=True)
    since = milliseconds("When it began")
    deadline = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "When its time is over, in milliseconds since 1970-01-01 UTC; null while the game pauses.",
            "format": "int64",
        },
    )
    allowance = span("What the turn was given")
    extra = span("What the table has granted besides")
    stops = fields.List(fields.Nested(StopSchema), required=True, metadata={"description": "What does not count."})
    why = fields.List(fields.String(), required=True, metadata={"description": "The same in sentences."})


class ExtensionSchema(Schema):
    """More time that was asked for."""

    extra = span("How much")
    agreed = fields.List(fields.Integer(), required=True, metadata={"description": "Seats that have agreed."})


class GameClockSchema(Schema):
    """The clock of a game."""

    settings = fields.Nested(ClockSettingsSchema, required=True)
    banks = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata={"description": "What each seat had left when its last turn ended, in milliseconds; null: no banks."},
    )
    misses = fields.List(fields.Integer(), required=True, metadata={"description": "Timeouts in a row, by seat."})
    paused_since = fields.Integer(required=True, allow_none=True, metadata={"format": "int64"})
    pause_asked = fields.List(fields.Integer(), required=True, metadata={"description": "Seats that want a pause."})
    extension = fields.Nested(ExtensionSchema, required=True, allow_none=True)
    turn = fields.Nested(
        TurnClockSchema, required=True, allow_none=True, metadata={"description": "null: no player's time runs."}
    )


class ExtensionChoiceSchema(Schema):
    """How much more time is asked for."""

    seconds = _seconds(60, LONGEST, "How much more", required=True)


def _hour(name: str, description: str) -> fields.String:
    return fields.String(
        required=True,
        data_key=name,
        validate=matching(HOUR, "Must be a time of day such as 23:00."),
        metadata={"description": description, "pattern": f"^{HOUR}$", "example": "23:00"},
    )


class NightSchema(Schema):
    """The hours of a player's night, by the clock on the wall of the time zone."""

    begin = _hour("from", "When it begins.")
    until = _hour("until", "When it ends.")

    @post_load
    def made(self, asked: dict[str, str], **kwargs: Any) -> tuple[str, str]:
        """Return both hours. Raises: ValidationError where the night is too long."""
        del kwargs
        night = asked["begin"], asked["until"]
        if not 0 < night_hours(night) <= LONGEST_NIGHT:
            raise ValidationError(f"A night must be longer than 0 and at most {LONGEST_NIGHT} hours.")
        return night


def _known_zone(name: str) -> None:
    if not is_zone(name):
        raise ValidationError("Must be a name in the IANA time zone database, such as Europe/Rome.")


class HabitsSchema(Schema):
    """What is to change of a player's hours; it counts from the next turn on."""

    zone = fields.String(data_key="time_zone", validate=_known_zone, metadata={"example": "Europe/Rome"})
    sleep = fields.Nested(NightSchema, allow_none=True, metadata={"description": "null: every hour counts."})
    auto_vacation = Flag(metadata={"description": "Whether a vacation begins by itself a minute before a timeout."})


class VacationChoiceSchema(Schema):
    """How long a vacation is to be."""

    until = fields.Integer(
        strict=True,
        validate=validate.Range(min=0),
        metadata={
            "description": "When it ends, in milliseconds since 1970-01-01 UTC; if left out, when all is spent.",
            "format": "int64",
        },
    )


class VacationSchema(Schema):
    """A player's vacation: three hours are earned every day, thirty days at most."""

    left = span("What is left")
    away = fields.Boolean(required=True, metadata={"description": "Whether the player is on vacation."})
    until = fields.Integer(required=True, allow_none=True, metadata={"description": "Until when.", "format": "int64"})


class HoursSchema(Schema):
    """When a player's clocks stand still."""

    time_zone = fields.String(required=True)
    sleep = fields.Nested(NightSchema, required=True, allow_none=True)
    auto_vacation = fields.Boolean(required=True)
    vacation = fields.Nested(VacationSchema, required=True)
