"""Parts that several schemas share."""

import re
from collections.abc import Callable
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from ..tables.titles import MAX_LENGTH, PATTERN

MAX_SEATS = 6
MAX_CARDS = 120
"""A number of cards that is larger than the deck of any edition."""


class CheckedSchema(Schema):
    """A schema whose method `check` compares its fields with each other, once each field is valid on its own.

    Other schemas must not use marshmallow's `validates` hooks, because some hooks run even when a field is invalid, and
    the values that they read may then be missing. A test checks that no schema uses them.
    """

    @validates_schema(skip_on_field_errors=True)
    def _check(self, parts: dict[str, Any], **_: Any) -> None:
        self.check(parts)

    def check(self, parts: dict[str, Any]) -> None:
        """Refuse fields that contradict each other. `parts` holds all fields, each valid on its own.

        Raises: ValidationError.
        """
        raise NotImplementedError


def matching(pattern: str, error: str) -> Callable[[str], None]:
    """Return a validator for a pattern that must match the whole string, without a final line break."""

    def validator(word: str) -> None:
        if not re.fullmatch(pattern, word):
            raise ValidationError(error)

    return validator


def seat_field(**kwargs: Any) -> fields.Integer:
    """Return a field for the number of a seat, counted from 0."""
    return Whole(validate=validate.Range(0, MAX_SEATS - 1), **kwargs)


def without_fraction(value: Any) -> Any:
    """Return a number as an integer if its fraction is zero, and any other value unchanged.

    JSON Schema's integers include such numbers, and some languages write every number with a fraction.

    >>> without_fraction(7.0), without_fraction(7.5), without_fraction("7.0")
    (7, 7.5, '7.0')
    """
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Whole(fields.Integer):
    """A whole number: 7 or 7.0 in JSON, but not the text "7"."""

    def __init__(self, **kwargs: Any) -> None:
        """Accept the arguments of `fields.Integer`, except `strict`, which is always true."""
        super().__init__(strict=True, **kwargs)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> int:
        return super()._deserialize(without_fraction(value), *args, **kwargs)


class Title(fields.String):
    """A game's title: plain text, which a client must show as text only."""

    def __init__(self, *, metadata: dict[str, Any], **kwargs: Any) -> None:
        """Add the pattern of titles to the arguments of `fields.String`."""
        error = f"1 to {MAX_LENGTH} characters, without control characters, and without spaces at the ends."
        text = f"{metadata['description']} Plain text from a player: show it as text only."
        metadata = {"example": "Sunday evening", **metadata, "description": text, "pattern": f"^{PATTERN}$"}
        super().__init__(validate=matching(PATTERN, error), metadata=metadata, **kwargs)


class Flag(fields.Boolean):
    """A field that accepts only true and false, not other values that might mean the same."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def name_field(null: str = "the seat has no player, or the player is hidden or was deleted") -> fields.String:
    """Return a field for a player's name. `null` says what null means."""
    return fields.String(
        required=True, allow_none=True, metadata={"description": f"The name of the player. null: {null}."}
    )


def label_field(**kwargs: Any) -> fields.String:
    """Return a field for a bot's label."""
    return fields.String(required=True, metadata={"description": "A short name of the bot, for people."}, **kwargs)


def milliseconds(description: str, null: str = "") -> fields.Integer:
    """Return a field for a time, in ms since 1970 UTC. `null` says what null means, if null is allowed."""
    text = f"{description}, in milliseconds since 1970-01-01 UTC.{f' null: {null}.' if null else ''}"
    return fields.Integer(required=True, metadata={"description": text, "format": "int64"})


def nullable_milliseconds(description: str, null: str) -> fields.Integer:
    """Return a field for a time or null, in ms since 1970 UTC. `null` says what null means."""
    field = milliseconds(description, null)
    field.allow_none = True
    return field
