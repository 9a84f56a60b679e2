"""Reports: messages that players have reported to the host. A report names a message but does not repeat its text."""

from __future__ import annotations

from typing import Any

import orjson

from . import keys
from .connection import Server
from .hashes import read_hash
from .lua import script
from .rows import objects
from .transport import Command

ADD = script("add_report")

MAX_REPORTS, MAX_OF_PLAYER = 2_000, 20
"""The maximum number of reports that may wait for the host: in total, and from one player."""
ADDED, TOO_MANY, FULL = 1, 0, -1
"""The results of adding a report."""
_MEMBERS = ("id", "at", "game", "message", "reason", "by")

Json = dict[str, Any]


class Reports:
    """All reports that the host has not settled."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def add(self, report: Json) -> int:
        """Add a report. The last member of `report` must be `by`.

        Return `ADDED`, or the reason why the report was not added. Takes one round trip.
        """
        end = orjson.dumps({"by": report["by"]})[1:]
        args = [report["id"], orjson.dumps(report), end, MAX_OF_PLAYER, MAX_REPORTS]
        return int(self._server.run(ADD, [_KEY], args))

    def all(self) -> list[Json]:
        """Return all reports, oldest first. Takes one round trip. Raises: StoreError."""
        reports = objects(self._server.ask(*read_hash(_KEY))[1::2], *_MEMBERS)
        return sorted(reports, key=lambda report: (report["at"], report["id"]))


def settle(report: str) -> Command:
    """Return the command that removes a report. Run this command together with the command for the audit log."""
    return ("HDEL", _KEY, report)


_KEY = keys.of_shard(0, "reports")
