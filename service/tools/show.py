"""`condottiere show`: prints the game in a record after any of its commits."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console

from engine import EngineError

from ..games.commits import Commit, commits_of
from ..records.document import RECORD
from ..records.positions import moment_after
from ..store.commits import Commits
from ..store.errors import CorruptLog, UnknownFormat
from .drawing import draw
from .printable import printable

STDIN = "-"

Json = dict[str, Any]


class ShowError(Exception):
    """The record, or the version in it, cannot be shown; the message is one line."""


def show(file: str, version: int | None, console: Console) -> None:
    """Print the game in a record at a version, or at the last; `file` may be `-`. Raises: ShowError."""
    name = "standard input" if file == STDIN else file
    record = _read(_content(file, name), name)
    commits = record["commits"]
    at = len(commits) if version is None else version
    if not 1 <= at <= len(commits):
        raise ShowError(f"--at {at}: {name} has the versions 1 to {len(commits)}")
    for part in _draw(record, commits, at, name, console.width):
        console.print(part, highlight=False, soft_wrap=isinstance(part, str) and not console.is_terminal)


def _content(file: str, name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    except OSError as error:
        raise ShowError(f"{name} cannot be read: {error.strerror}") from None


def _read(content: bytes, name: str) -> Json:
    """Return the record in a JSON document, or in lines of JSON. Raises: ShowError."""
    try:
        try:
            record = orjson.loads(content)
        except orjson.JSONDecodeError:
            header, *commits = map(orjson.loads, content.splitlines())
            record = {**header, "commits": commits}
        form, commits = record["record"], record["commits"]
    except (LookupError, TypeError, ValueError):
        raise ShowError(f"{name} is not a whole record: save GET /v1/games/{{id}}/record again") from None
    if form != RECORD:
        raise ShowError(f"{name} is a record of format {form}; this version reads format {RECORD}")
    if not commits or not isinstance(commits, list):
        raise ShowError(f"{name} has no commits")
    if len(commits) != record.get("version"):
        raise ShowError(f"{name} was cut: it has {len(commits)} of {record.get('version')} commits")
    return dict(record)


def _draw(record: Json, commits: Sequence[Json], version: int, name: str, width: int) -> Sequence[Any]:
    """Return what shows the game after its first `version` commits. Raises: ShowError."""
    try:
        moment = moment_after(_values(commits[:version]), record["seat"], is_open=record["open"] is True)
        return draw(printable({**record, "commits": None}), moment, width)
    except UnknownFormat:
        raise ShowError(f"{name} was written by a later version: show it with that version") from None
    except (CorruptLog, EngineError, LookupError, TypeError, ValueError, AssertionError, AttributeError) as error:
        raise ShowError(f"{name} cannot be shown at version {version}: {printable(str(error))[:200]}") from None


def _values(commits: Sequence[Json]) -> list[Commit]:
    """Return commits of a record as values; they have no keys. Raises: CorruptLog, UnknownFormat, LookupError."""
    members = [
        {
            **{name: commit[name] for name in ("seq", "at", "by")},
            "key": "",
            "fingerprint": "",
            **{name: commit[name] for name in ("revision", "events")},
        }
        for commit in commits
    ]
    return commits_of(Commits.of("", members))
