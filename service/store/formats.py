"""Formats of commits: the one that is written, and how records of older formats are converted to it.

The `revision` of a commit is the number of its format. When a release changes what an event's record holds, `FORMAT`
goes up by one, and `UPCASTS` gets, for each type of event that changed, a function that converts a record of the
previous format. Nothing is rewritten: a log keeps the bytes that were written, and readers see current records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Record = dict[str, Any]
"""An event as a plain dict, with its `type`."""
Upcast = Callable[[Record], Record]
"""Converts a record of one format to the next; the `type` may change."""

FORMAT = 1
"""The number of the format in which commits are written."""
UPCASTS: Mapping[int, Mapping[str, Upcast]] = {}
"""For each format before the current one: the conversion to the next format, by the types of event that it changes."""


def upcast(record: Record, written_in: int) -> Record:
    """Return a record of an older format, converted to the current one. Raises: whatever a conversion raises."""
    for number in range(written_in, FORMAT):
        step = UPCASTS[number].get(record["type"])
        if step is not None:
            record = step(record)
    return record
