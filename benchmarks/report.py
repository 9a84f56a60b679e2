"""Reports: the result of a measurement, and how it is shown on a terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

OnProgress = Callable[[float], None]
"""A function that receives the finished share of a measurement, from 0 to 1."""

MET, MISSED = "met", "not met"
MAX_WIDTH = 1000
"""The maximum width of a table, in characters."""


class Row(NamedTuple):
    """A row of figures: its cells, of which the first is the name, its goal (if any), and whether the goal is met."""

    cells: tuple[str, ...]
    goal: str = ""
    met: bool | None = None

    @property
    def verdict(self) -> str:
        """Whether the goal is met, in words, or "" without a goal."""
        return "" if self.met is None else MET if self.met else MISSED


class Section(NamedTuple):
    """The result of one measurement. `how` describes the measurement in a few sentences."""

    title: str
    how: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def print_sections(where: Mapping[str, str], sections: Iterable[Section]) -> None:
    """Print the machine, then each section with its table of figures."""
    console = Console(highlight=False)
    for name, value in where.items():
        console.print(f"{name}: {value}", soft_wrap=True, markup=False)
    for section in sections:
        console.print(f"\n[bold]{section.title}[/bold]\n{section.how}")
        shown = table(section)
        # A table may be wider than the terminal, or than a pipe's 80 columns, because a truncated figure would be
        # wrong.
        width = console.measure(shown, options=console.options.update(max_width=MAX_WIDTH)).maximum
        Console(width=max(width, console.width)).print(shown)


def table(section: Section) -> Table:
    """Return the figures of a section as a table for a terminal."""
    shown = Table(box=box.SIMPLE, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    first, *others = section.columns
    shown.add_column(first, no_wrap=True)
    for column in others:
        shown.add_column(column, justify="right", no_wrap=True)
    shown.add_column("Goal", no_wrap=True)
    shown.add_column("", no_wrap=True)
    for row in section.rows:
        shown.add_row(*row.cells, row.goal, Text(row.verdict, style="green" if row.met else "bold red"))
    return shown


def markdown(section: Section) -> Iterator[str]:
    """Yield the lines of a section in Markdown."""
    numbers = len(section.columns) - 1
    yield from (f"## {section.title}", "", section.how, "")
    yield _cells((*section.columns, "Goal", ""))
    yield _cells(("---", *["---:"] * numbers, "---", "---"))
    for row in section.rows:
        verdict = f"**{row.verdict}**" if row.met is False else row.verdict
        yield _cells((*row.cells, row.goal, verdict))


def _cells(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
