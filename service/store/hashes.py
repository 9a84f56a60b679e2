"""Reading a whole hash, in the same way on one server and in a cluster."""

from __future__ import annotations

from .lua import script
from .transport import Command

READ_HASH = script("read_hash", fenced=False)


def read_hash(key: str) -> Command:
    """Return the command that reads a hash: its answer is each field followed by its value, empty without a hash."""
    return READ_HASH.command([key])
