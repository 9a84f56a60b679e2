"""Findings: the differences between the indexes and the logs, and the data that could not be compared."""

from __future__ import annotations

from typing import NamedTuple


class RebuildError(Exception):
    """A rebuild cannot begin or continue. The message gives the reason in one line."""


MISSING = "is missing"
FOREIGN = "is not derived from any log"
DIFFERENT = "differs from the log"
DAMAGED = "cannot be read, so it was not changed"
UNSTABLE = "kept changing, so it was not compared; run the command again"
UNCOUNTED = "not compared, because a log of this shard cannot be read"
WRONG_HASH = "the stored hash does not match the commits up to this one; it was not changed"
UNKNOWN = "there is no such game"


class Finding(NamedTuple):
    """A difference: the key, the row ("" if the whole key differs), a description, and whether the difference was
    repaired.

    A finding contains no index values, because they may be private.
    """

    key: str
    row: str
    what: str
    mended: bool = False

    def __str__(self) -> str:
        """Return one line for an operator, with non-ASCII characters escaped."""
        row = f" {self.row}" if self.row else ""
        return ascii(f"{self.key}{row}: {self.what}{'; repaired' if self.mended else ''}")[1:-1]
