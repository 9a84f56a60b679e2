"""Output of the admin commands: tables for people, or JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .texts import text_of

WIDTH = 200
"""The width, in characters, of a table that is not written to a terminal."""


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    print(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], nothing: str) -> None:
    """Print rows as a table. If there are no rows, print the sentence `nothing` instead."""
    cells = [[text_of(value) for value in row] for row in rows]
    if not cells:
        print(nothing)
        return
    table = Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in cells:
        table.add_row(*map(Text, row))
    _console().print(table)


def print_members(members: Mapping[str, Any]) -> None:
    """Print the members of an object with their names, one per line."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    for name, value in members.items():
        table.add_row(Text(name), Text(text_of(value)))
    _console().print(table)


def _console() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=WIDTH)
