"""Cursors: values that mark how far a reader has read the messages of a game.

For each list that the reader may read, a cursor contains the number of messages up to the marked point. Messages in
other lists therefore do not change the cursor.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Sequence

from ..problems import Problem

_FORMAT = struct.Struct(">BIII")
_VERSION = 1


def cursor_of(counts: Sequence[int]) -> str:
    """Return the cursor for three counts: messages at the table, private messages, and spectators' messages.

    >>> cursor_of((7, 0, 2))
    'AQAAAAcAAAAAAAAAAg'
    """
    return base64.urlsafe_b64encode(_FORMAT.pack(_VERSION, *counts)).decode().rstrip("=")


START = cursor_of((0, 0, 0))
"""The cursor before the first message."""


def counts_of(cursor: str) -> tuple[int, int, int]:
    """Return the counts in a cursor. Raises: Problem (invalid-request)."""
    counts = _counts(cursor)
    if counts is None:
        errors = {"after": ["Must be the value of `next` from an earlier response."]}
        raise Problem("invalid-request", "after: must be the value of `next` from an earlier response", errors=errors)
    return counts


def is_cursor(text: str) -> bool:
    """Return whether a string is a valid cursor.

    >>> is_cursor(START), is_cursor("7"), is_cursor("AQAAAAcAAAAAAAAAAh")
    (True, False, False)
    """
    return _counts(text) is not None


def _counts(text: str) -> tuple[int, int, int] | None:
    try:
        data = base64.b64decode(text.encode() + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        version, table, private, spectators = _FORMAT.unpack(data)
    except (ValueError, binascii.Error, struct.error):
        return None
    counts = (table, private, spectators)
    return counts if version == _VERSION and cursor_of(counts) == text else None
