"""The audit log: all of the host's actions, in order.

Lines are never changed. Only the host removes lines, beginning with the oldest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from . import keys
from .connection import Server
from .errors import BadCursor
from .lua import script
from .rows import object_in
from .transport import Command

RECORD = script("record_act", when_read_only=True)
READ = script("read_audit", when_read_only=True)

LOOK_BACK = 100
"""To find a line that an earlier attempt wrote, the server searches this many of the newest lines."""

_ID = re.compile(r"[0-9]{1,15}-[0-9]{1,15}")


class Line(NamedTuple):
    """A line of the audit log.

    The id also gives the line's position in the log. The time `at` is in ms since the epoch.
    """

    id: str
    at: int
    members: Mapping[str, Any]


class Audit:
    """The audit log."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def record(self, act: str, members: Mapping[str, Any], writes: Sequence[Command] = ()) -> str:
        """Record an action, run the `writes` in the same step, and return the id of the new line.

        `act` is the action's unique id. The `writes` are HSET, HDEL and SET commands on keys of the first shard. Takes
        one round trip. Raises: StoreError. If this error is raised, the line and the writes may or may not have been
        stored.
        """
        where, args = [_KEY], list[Any]([act, orjson.dumps(members), LOOK_BACK])
        for name, key, *arguments in writes:
            where.append(key)
            args += [name, len(arguments), *arguments]
        line: bytes = self._server.run(RECORD, where, args)
        return line.decode()

    def page(self, before: str | None, limit: int) -> tuple[list[Line], str | None]:
        """Return at most `limit` lines, newest first, and the value of `before` for the next page.

        The value of `before` is None after the last page. Takes one round trip. Raises: BadCursor, StoreError.
        """
        if before is not None and not _ID.fullmatch(before):
            raise BadCursor("this cursor does not come from a page of this list")
        entries = self._server.run(READ, [_KEY], ["+" if before is None else f"({before}", limit + 1])
        lines = [_line(entry.decode(), fields) for entry, fields in entries]
        return lines[:limit], lines[limit - 1].id if len(lines) > limit else None

    def forget(self, before: int) -> int:
        """Remove all lines older than `before` (ms since the epoch), and return how many were removed.

        Takes one round trip. Raises: StoreError.
        """
        return int(self._server.ask("XTRIM", _KEY, "MINID", before))


def _line(entry: str, fields: Sequence[bytes]) -> Line:
    """Return a line of the audit log.

    A line that cannot be read is returned without members, so that the other lines can still be shown.
    """
    return Line(entry, int(entry.partition("-")[0]), object_in(fields[3] if len(fields) > 3 else b"") or {})


_KEY = keys.of_shard(0, "audit")
