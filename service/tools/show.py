"""`condottiere show`: prints a recorded game as it was after any of its commits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console, RenderableType

from engine import EngineError

from ..games.commits import Commit, commits_of
from ..problems import Problem
from ..records.positions import moment_after
from ..records.reading import Record, read_records
from ..store.commits import Commits
from ..store.errors import CorruptLog
from .drawing import draw
from .inputs import STDIN, opened
from .printable import printable

REASON = 200
"""The maximum length of the message that says why a record cannot be shown."""

Json = dict[str, Any]


class ShowError(Exception):
    """The record, or the requested version of the game in it, cannot be shown. The message is one line."""


def show(file: str, version: int | None, console: Console) -> None:
    """Print a recorded game as it was at a version, or at its last version. `file` may be `-`. Raises: ShowError."""
    name = "standard input" if file == STDIN else file
    record = _read(file, name)
    last = len(record.commits)
    at = last if version is None else version
    if not 1 <= at <= last:
        raise ShowError(f"--at {at}: the record has versions 1 to {last}")
    for part in _draw(record, at, name, console.width):
        # A program that reads from a pipe needs whole lines.
        console.print(part, highlight=False, soft_wrap=isinstance(part, str) and not console.is_terminal)


def _read(file: str, name: str) -> Record:
    """Return the record in a file. The file must contain exactly one record. Raises: ShowError."""
    try:
        with opened(file) as stream:
            records = read_records(stream, redacted=True)
            record, another = next(records), next(records, None)
    except OSError as error:
        raise ShowError(f"{name}: {error.strerror}") from None
    if isinstance(record, Problem):
        raise ShowError(f"{name}: {record.code}: {_line(record.detail)}")
    if another is not None:
        raise ShowError(f"{name} has more than one record: put each record into a separate file")
    if len(record.commits) != record.header["version"] or not record.commits:
        raise ShowError(f"{name} was truncated: it has {len(record.commits)} of {record.header['version']} commits")
    return record


def _draw(record: Record, version: int, name: str, width: int) -> Sequence[RenderableType]:
    """Return a drawing of the game after its first `version` commits. Raises: ShowError."""
    header: Json = record.header
    try:
        moment = moment_after(_values(record.commits[:version]), header["seat"], is_open=header["open"])
        return draw(printable(header), moment, width)
    except Problem as problem:
        raise ShowError(f"{name}: {problem.code}: {problem.detail}") from None
    except RecursionError:
        raise ShowError(f"{name}: record-too-deep: the record's JSON is nested too deeply") from None
    except (CorruptLog, EngineError, LookupError, TypeError, ValueError, AssertionError, AttributeError) as error:
        reason = _line(str(error)) or type(error).__name__
        raise ShowError(f"{name} cannot be shown at version {version}: {reason}") from None


def _line(text: str) -> str:
    """Return a message as one short line that is safe to print."""
    line: str = printable(text)
    return line[:REASON]


def _values(commits: Sequence[Json]) -> list[Commit]:
    """Return a record's commits as `Commit` values without keys.

    Raises: CorruptLog, for example if a commit has a later format.
    """
    rows = [
        {
            "seq": commit["seq"],
            "at": commit["at"],
            "by": printable(commit["by"]),
            "key": "",
            "fingerprint": "",
            "revision": commit["revision"],
            "events": printable(commit["events"]),
        }
        for commit in commits
    ]
    return commits_of(Commits.of("", rows))
