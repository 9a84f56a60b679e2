"""Hashes that are read whole, on one server and in a cluster alike."""

from __future__ import annotations

from .lua import script
from .transport import Command

READ_HASH = script("read_hash", fenced=False)


def read_hash(key: str) -> Command:
    """Return the command that reads a hash: its answer is each field before its value, none where there is no hash."""
    return READ_HASH.command([key])
