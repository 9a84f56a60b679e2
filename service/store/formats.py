"""Formats of commits: the current format, and the conversion of records from older formats.

The `revision` of a commit is the number of its format. When a release changes the contents of an event's record,
`FORMAT` increases by one. For each event type that changed, `UPCASTS` gets a function that converts the event's records
from the previous format. Stored logs are never rewritten: records are converted when they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Record = dict[str, Any]
"""An event as a plain dict, with its `type`."""
Upcast = Callable[[Record], Record]
"""A function that converts a record from one format to the next. The `type` may change."""

FORMAT = 1
"""The number of the format in which commits are written."""
UPCASTS: Mapping[int, Mapping[str, Upcast]] = {}
"""For each earlier format, the functions that convert records to the next format, by the type of event."""


def upcast(record: Record, written_in: int) -> Record:
    """Convert a record from an older format to the current format. Raises: any error that a conversion raises."""
    for number in range(written_in, FORMAT):
        step = UPCASTS[number].get(record["type"])
        if step is not None:
            record = step(record)
    return record
