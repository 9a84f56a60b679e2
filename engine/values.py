"""Helpers for the named tuples of commands and events, and for quoting values in error messages."""

from reprlib import Repr
from typing import Any, TypeVar

T = TypeVar("T", bound=type[tuple[Any, ...]])

MAX_QUOTED = 40
"""The maximum number of characters of a value in an error message."""


class _Repr(Repr):
    def repr_int(self, number: int, level: int) -> str:
        # Python raises ValueError when it converts an int of more than 4,300 digits to text.
        return super().repr_int(number, level) if number.bit_length() < 14_000 else "a number of thousands of digits"


_repr = _Repr()
_repr.maxstring = _repr.maxother = MAX_QUOTED


def short(value: object) -> str:
    """Return the `repr` of a value for an error message, shortened if the value is long or deeply nested.

    >>> short("drummer"), short([[[[[[[[["drummer"]]]]]]]]])
    ("'drummer'", '[[[[[[[...]]]]]]]')
    """
    return cut(_repr.repr(value))


def cut(text: str) -> str:
    """Shorten a string to `MAX_QUOTED` characters for an error message."""
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 3]}..."


def distinct(kind: T) -> T:
    """Decorate a named tuple class, so that an instance never equals a tuple of another type.

    Without this decorator, tuples of different types are equal if their items are equal.

    >>> from engine import KeepHand, Pass
    >>> KeepHand(0) == KeepHand(0), KeepHand(0) == Pass(0), len({KeepHand(0), Pass(0)})
    (True, False, 2)
    """
    type_hash = hash(kind)

    def equal(value: tuple[Any, ...], other: object) -> bool:
        return type(other) is kind and tuple.__eq__(value, other)

    def unequal(value: tuple[Any, ...], other: object) -> bool:
        return type(other) is not kind or tuple.__ne__(value, other)

    def hash_value(value: tuple[Any, ...]) -> int:
        return tuple.__hash__(value) ^ type_hash

    kind.__eq__, kind.__ne__, kind.__hash__ = equal, unequal, hash_value  # type: ignore[assignment]
    return kind
