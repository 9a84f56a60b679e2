"""Auditing: the host can read the audit log and remove its old lines."""

from __future__ import annotations

from typing import Any

from ..games.repository import Games
from ..problems import Problem
from ..store.audit import Line
from ..store.errors import BadCursor
from .acts import Actor, act, record

Json = dict[str, Any]

_MEMBERS = ("via", "by", "token", "act", "target", "reason")


def read(games: Games, before: str | None, limit: int) -> tuple[list[Json], str | None]:
    """Return at most `limit` lines, newest first, and the value of `before` for the next page.

    The returned `before` is None if there are no older lines. Raises: Problem (invalid-request).
    """
    try:
        lines, following = games.store.audit.page(before, limit)
    except BadCursor as error:
        errors = {"before": ["Must be the value of `next` from an earlier page."]}
        detail = "before: must be the value of `next` from an earlier page; omit `before` to start at the newest line"
        raise Problem("invalid-request", detail, errors=errors) from error
    return [_show(line) for line in lines], following


def forget(games: Games, actor: Actor, before: int) -> int:
    """Remove all lines older than `before` (ms since the epoch), and return the number of removed lines.

    The audit log also records the removal.
    """
    record(games, actor, act("forget-audit", until=before))
    return games.store.audit.forget(before)


def _show(line: Line) -> Json:
    """Return a line as JSON. Members that are missing from the line are null."""
    details = line.members.get("details")
    members = {name: line.members.get(name) for name in _MEMBERS}
    return {"id": line.id, "at": line.at, **members, "details": details if isinstance(details, dict) else {}}
