"""`condottiere verify`: verifies records of games, and prints a table or JSON lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..problems import Problem
from ..records.reading import Record, read_records
from ..records.report import COUNTED, KeptHead, Report
from ..records.verifying import verify
from .inputs import opened

VALID, WRONG, UNREADABLE = 0, 1, 2
"""The exit codes: all records are valid, a record is wrong, or a record cannot be read."""
WIDE = 200
"""The table's width if the output is a file or a pipe."""


class Outcome(NamedTuple):
    """The outcome for one record of a file: a report, or the problem that prevents the verification."""

    name: str
    result: Report | Problem


def run(names: Sequence[str], heads: Sequence[KeptHead], *, as_json: bool) -> int:
    """Verify the records in some files, print the findings, and return the exit code.

    Raises: Problem (bad-head) if heads are given for several records.
    """
    outcomes: list[Outcome] = []
    for outcome in _outcomes(names, heads):
        if heads and outcomes:
            raise Problem("bad-head", "a head belongs to one game: with --head, name one file that contains one record")
        outcomes.append(outcome)
        if as_json:
            print(orjson.dumps(_as_json(outcome)).decode(), flush=True)
    if not as_json:
        _print(outcomes)
    return max(map(_exit_code, outcomes))


def _outcomes(names: Sequence[str], heads: Sequence[KeptHead]) -> Iterator[Outcome]:
    for name in names:
        try:
            with opened(name) as file:
                for record in read_records(file):
                    yield Outcome(name, record if isinstance(record, Problem) else _verified(record, heads))
        except OSError as error:
            yield Outcome(name, Problem("record-unreadable", f"the file cannot be read: {error.strerror}"))


def _verified(record: Record, heads: Sequence[KeptHead]) -> Report | Problem:
    try:
        return verify(record, heads)
    except Problem as problem:
        return problem


def _exit_code(outcome: Outcome) -> int:
    if isinstance(outcome.result, Problem):
        return UNREADABLE
    return VALID if outcome.result.valid else WRONG


def _as_json(outcome: Outcome) -> dict[str, Any]:
    name, result = outcome
    if isinstance(result, Report):
        return {"file": name, **result.as_json()}
    return {"file": name, "valid": None, "problem": {"code": result.code, "detail": result.detail}}


def _print(outcomes: Sequence[Outcome]) -> None:
    """Print a table with a line for each record, followed by a sentence for each finding."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
    table = Table(box=None, pad_edge=False)
    for column in ("file", "game", "result", *COUNTED):
        table.add_column(column, overflow="fold", no_wrap=column != "file")
    for name, result in outcomes:
        if isinstance(result, Problem):
            table.add_row(_plain(name), "", result.code)
        else:
            verdict = "valid" if result.finding is None else result.finding.code
            counts = (str(result.checked[what]) for what in COUNTED)
            table.add_row(_plain(name), _plain(result.game), verdict, *counts)
    console.print(table, soft_wrap=True)
    for outcome in outcomes:
        for note in _notes(outcome):
            console.print(_plain(f"{outcome.name}: {note}"), soft_wrap=True)


def _plain(text: str) -> Text:
    """Return a string that is safe to print. A record may contain any characters, even control characters."""
    return Text("".join(letter if letter.isprintable() else "?" for letter in text))


def _notes(outcome: Outcome) -> Iterator[str]:
    result = outcome.result
    if isinstance(result, Problem):
        yield result.detail
        return
    if result.finding is not None:
        _, seq, event, detail = result.finding
        places = [f"commit {seq}"] if seq is not None else ["header"]
        yield f"{', '.join([*places, *([f'event {event}'] if event is not None else [])])}: {detail}"
    for (bot, revision), moves in result.unchecked.items():
        yield f"unchecked: {moves} moves of the bot {bot}, revision {revision}, which this version does not have"
