"""Rows of an index that each hold a JSON object: one that cannot be read is left out, and the others are shown."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import orjson

DIGITS = 15
"""More than any number has that is stored: milliseconds since the epoch have 13."""

_logger = logging.getLogger(__name__)


def objects(rows: Iterable[bytes | None], *members: str) -> list[dict[str, Any]]:
    """Return the objects that rows hold, each with these members.

    >>> objects([b'{"game":"17"}', None, b"[]", b'{"a":1}'], "game")
    [{'game': '17'}]
    """
    return [found for row in rows if row is not None and (found := object_in(row, *members)) is not None]


def object_in(row: bytes, *members: str) -> dict[str, Any] | None:
    """Return the object that a row holds, None where it holds none, or one without these members."""
    try:
        found = orjson.loads(row)
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, dict) or not found.keys() >= set(members):
        _logger.error("ignoring a row of an index that cannot be read")
        return None
    return found


def whole(text: bytes | None) -> int | None:
    """Return the whole number that a text holds, None where it holds none, or one beyond all that is counted here.

    >>> whole(b"1795000000000"), whole(b"x"), whole(b"9" * 5000), whole(None)
    (1795000000000, None, None, None)
    """
    return int(text) if text is not None and len(text) <= DIGITS and text.isdigit() else None
