"""Rows of an index that each hold a JSON object: one that cannot be read is left out, and the others are shown."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import orjson

_logger = logging.getLogger(__name__)


def objects(rows: Iterable[bytes | None]) -> list[dict[str, Any]]:
    """Return the objects that rows hold.

    >>> objects([b'{"game":"17"}', None, b"[]"])
    [{'game': '17'}]
    """
    return [found for row in rows if row is not None and (found := object_in(row)) is not None]


def object_in(row: bytes) -> dict[str, Any] | None:
    """Return the object that a row holds, None where it holds none."""
    try:
        found = orjson.loads(row)
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, dict):
        _logger.error("a row of an index holds no object and is left out")
        return None
    return found
