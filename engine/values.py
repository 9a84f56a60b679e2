"""Values: what commands and events are, tuples told apart by their types; and how error messages quote a value."""

from reprlib import Repr
from typing import Any, TypeVar

T = TypeVar("T", bound=type[tuple[Any, ...]])

SHOWN = 40
"""The most characters of a value that an error message quotes."""


class _Repr(Repr):
    def repr_int(self, number: int, level: int) -> str:
        # Python raises ValueError for numbers of more than 4,300 digits.
        return super().repr_int(number, level) if number.bit_length() < 14_000 else "a number of thousands of digits"


_repr = _Repr()
_repr.maxstring = _repr.maxother = SHOWN


def short(value: object) -> str:
    """Return a value's `repr`, shortened for an error message; long and deeply nested values are safe.

    >>> short("drummer"), short([[[[[[[[["drummer"]]]]]]]]])
    ("'drummer'", '[[[[[[...]]]]]]')
    """
    return cut(_repr.repr(value))


def cut(text: str) -> str:
    """Return a text, shortened to `SHOWN` characters for an error message."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def distinct(kind: T) -> T:
    """Have the values of a type of tuples equal only each other: tuples of all types are equal by what they hold.

    >>> from engine import KeepHand, Pass
    >>> KeepHand(0) == KeepHand(0), KeepHand(0) == Pass(0), len({KeepHand(0), Pass(0)})
    (True, False, 2)
    """
    mark = hash(kind)

    def equal(value: tuple[Any, ...], other: object) -> bool:
        return type(other) is kind and tuple.__eq__(value, other)

    def unequal(value: tuple[Any, ...], other: object) -> bool:
        return type(other) is not kind or tuple.__ne__(value, other)

    def hashed(value: tuple[Any, ...]) -> int:
        return tuple.__hash__(value) ^ mark

    kind.__eq__, kind.__ne__, kind.__hash__ = equal, unequal, hashed  # type: ignore[assignment]
    return kind
