"""Index rows with JSON: parses the objects in the rows, and leaves out rows that cannot be parsed."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import orjson

DIGITS = 15
"""The maximum number of digits of a stored number. A time in ms since the epoch has only 13 digits."""

_logger = logging.getLogger(__name__)


def objects(rows: Iterable[bytes | None], *members: str) -> list[dict[str, Any]]:
    """Return the objects in rows. Leave out rows without an object, and objects that lack any of these members.

    >>> objects([b'{"game":"17"}', None, b"[]", b'{"a":1}'], "game")
    [{'game': '17'}]
    """
    return [value for row in rows if row is not None and (value := object_in(row, *members)) is not None]


def object_in(row: bytes, *members: str) -> dict[str, Any] | None:
    """Return the object in a row.

    Return None if the row does not contain an object, or if the object lacks any of these members.
    """
    try:
        value = orjson.loads(row)
    except orjson.JSONDecodeError:
        value = None
    if not isinstance(value, dict) or not value.keys() >= set(members):
        _logger.error("ignoring an index row that cannot be read")
        return None
    return value


def parse_int(text: bytes | None) -> int | None:
    """Return the whole number that a string contains, or None if the string is not a number or has more than `DIGITS`
    digits.

    >>> parse_int(b"1795000000000"), parse_int(b"x"), parse_int(b"9" * 5000), parse_int(None)
    (1795000000000, None, None, None)
    """
    return int(text) if text is not None and len(text) <= DIGITS and text.isdigit() else None
