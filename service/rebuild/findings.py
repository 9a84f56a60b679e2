"""Findings: what differs between the indexes and the logs, and what could not be compared."""

from __future__ import annotations

from typing import NamedTuple


class RebuildError(Exception):
    """A rebuild cannot begin or go on; the message says why in one line."""


MISSING = "is missing"
FOREIGN = "does not follow from any log"
DIFFERENT = "differs from the log"
DAMAGED = "cannot be read and was left as it is"
UNSETTLED = "kept changing and was not compared; run this again"
UNCOUNTED = "not compared, because a log of this shard cannot be read"
UNKNOWN = "there is no such game"


class Finding(NamedTuple):
    """One thing that is not as it should be: a key, the row of it or "", what is wrong, and whether it was mended.

    It names no value: values of indexes are not for everybody.
    """

    key: str
    row: str
    what: str
    mended: bool = False

    def __str__(self) -> str:
        """Return one line for an operator; whatever cannot be printed in ASCII is escaped."""
        row = f" {self.row}" if self.row else ""
        return ascii(f"{self.key}{row}: {self.what}{'; repaired' if self.mended else ''}")[1:-1]
