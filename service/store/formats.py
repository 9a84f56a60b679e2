"""Formats of commits: which one is written, and how the records of older ones are brought to its shape.

A commit says its format in `revision`. When a release changes what an event's record holds, `FORMAT` goes up by one,
and `UPCASTS` says for each type of event that changed what becomes of a record of the format before. Nothing is
rewritten: a log keeps the bytes that were written, and whoever reads it sees the records of today.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Record = dict[str, Any]
"""An event as a plain dict, with its `type`."""
Upcast = Callable[[Record], Record]
"""Returns a record of one format in the shape of the next; the type may be another one."""

FORMAT = 1
"""Number of the format in which commits are written."""
UPCASTS: Mapping[int, Mapping[str, Upcast]] = {}
"""For each format before today's, by the types of event that the next one has otherwise, what becomes of a record."""


def upcast(record: Record, written_in: int) -> Record:
    """Return a record that was written in a format as today's format has it. Raises: what a step raises."""
    for number in range(written_in, FORMAT):
        step = UPCASTS[number].get(record["type"])
        if step is not None:
            record = step(record)
    return record
