"""The command that reads a whole hash. The command's reply has the same form on a single server and in a cluster."""

from __future__ import annotations

from .lua import script
from .transport import Command

READ_HASH = script("read_hash", fenced=False)


def read_hash(key: str) -> Command:
    """Return the command that reads a hash.

    The reply lists each field and its value. If the hash does not exist, the list is empty.
    """
    return READ_HASH.command([key])
