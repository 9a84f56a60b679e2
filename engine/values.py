"""Values: what commands and events are, tuples with names that are told apart by their types."""

from typing import Any, TypeVar

T = TypeVar("T", bound=type[tuple[Any, ...]])


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
