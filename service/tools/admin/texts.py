"""Texts: formats values and times for the output of the admin commands."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any


def text_of(value: Any) -> str:
    """Return the text that a cell shows for a value.

    >>> [text_of(value) for value in (None, True, 7, ["read", "play"])]
    ['-', 'yes', '7', 'read, play']
    """
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return ", ".join(map(text_of, value))
    return str(value)


def time_of(at: int | None) -> str | None:
    """Return a time (ms since the epoch) as UTC.

    >>> time_of(1_795_000_000_000)
    '2026-11-18 11:06:40Z'
    """
    return None if at is None else datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
