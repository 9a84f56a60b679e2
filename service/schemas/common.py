"""Parts that several schemas share."""

import re
from collections.abc import Callable
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from ..tables.titles import MAX_LENGTH, PATTERN

MAX_SEATS = 6
MAX_CARDS = 120
"""An upper bound on the number of cards in a request. No edition's deck has that many cards."""


class CheckedSchema(Schema):
    """A schema whose `check` method compares the fields with each other after each field has been validated.

    Other schemas must not use marshmallow's `validates` hooks. Some of these hooks run even when a field is invalid,
    and may then read missing values. A test checks that no other schema uses the hooks.
    """

    @validates_schema(skip_on_field_errors=True)
    def _check(self, parts: dict[str, Any], **_: Any) -> None:
        self.check(parts)

    def check(self, parts: dict[str, Any]) -> None:
        """Reject fields that contradict each other.

        `parts` contains the values of all fields. Each value is already known to be valid on its own.

        Raises: ValidationError.
        """
        raise NotImplementedError


def matching(pattern: str, error: str) -> Callable[[str], None]:
    """Return a validator that requires the whole string to match a pattern. A final line break does not match."""

    def validator(word: str) -> None:
        if not re.fullmatch(pattern, word):
            raise ValidationError(error)

    return validator


def seat_field(**kwargs: Any) -> fields.Integer:
    """Return a field for a seat number. Seats are numbered from 0."""
    return Whole(validate=validate.Range(0, MAX_SEATS - 1), **kwargs)


def without_fraction(value: Any) -> Any:
    """Return a number as an integer if its fractional part is zero, and any other value unchanged.

    JSON Schema counts a number like 7.0 as an integer, and some languages write every number with a decimal point.

    >>> without_fraction(7.0), without_fraction(7.5), without_fraction("7.0")
    (7, 7.5, '7.0')
    """
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Whole(fields.Integer):
    """A field for a whole number. The field accepts 7 and 7.0 in JSON, but not the string "7"."""

    def __init__(self, **kwargs: Any) -> None:
        """Accept the arguments of `fields.Integer`, except `strict`, which is always true."""
        super().__init__(strict=True, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> int:
        return super()._deserialize(without_fraction(value), *args, **kwargs)


class Title(fields.String):
    """A field for a game's title. Clients must show the title as plain text, never as HTML."""

    def __init__(self, *, metadata: dict[str, Any], **kwargs: Any) -> None:
        """Add the pattern for titles to the arguments of `fields.String`."""
        error = (
            f"Must be 1 to {MAX_LENGTH} characters, without control characters and without spaces at the start or end."
        )
        text = f"{metadata['description']} Players choose titles, so show them as plain text, never as HTML."
        metadata = {"example": "Sunday evening", **metadata, "description": text, "pattern": f"^{PATTERN}$"}
        super().__init__(validate=matching(PATTERN, error), metadata=metadata, **kwargs)


class Flag(fields.Boolean):
    """A field that accepts only true and false. marshmallow's `Boolean` also accepts values such as "yes" and 1."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def name_field(null: str = "the seat has no player, or the player is hidden or was deleted") -> fields.String:
    """Return a field for a player's name. `null` describes when the name is null."""
    return fields.String(
        required=True, allow_none=True, metadata={"description": f"The name of the player, or `null` if {null}."}
    )


def label_field(**kwargs: Any) -> fields.String:
    """Return a field for a bot's label."""
    return fields.String(required=True, metadata={"description": "The bot's name, for display."}, **kwargs)


def milliseconds(description: str, null: str = "") -> fields.Integer:
    """Return a field for a time in milliseconds since 1970 UTC.

    `null` describes when the value is null. If the value is never null, `null` is empty.
    """
    text = f"{description}, in milliseconds since 1970-01-01 UTC.{f' `null` if {null}.' if null else ''}"
    return fields.Integer(required=True, metadata={"description": text, "format": "int64"})


def nullable_milliseconds(description: str, null: str) -> fields.Integer:
    """Return a field for a time in milliseconds since 1970 UTC, or null.

    `null` describes when the value is null.
    """
    field = milliseconds(description, null)
    field.allow_none = True
    return field
