"""`python -m benchmarks`: run the measurements, and print the figures with their goals."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from . import (
    board,
    bots,
    deadlines,
    doors,
    feed,
    hints,
    memory,
    moments,
    moves,
    play,
    records,
    replay,
    talk,
    thinking,
    verifying,
    webhooks,
)
from .machine import machine
from .processes import exit_when_terminated
from .report import OnProgress, Section, markdown, print_sections

MEASURES: dict[str, Callable[[bool, OnProgress], Section]] = {
    "replay": replay.measure,
    "records": records.measure,
    "verifying": verifying.measure,
    "moves": moves.measure,
    "moments": moments.measure,
    "feed": feed.measure,
    "talk": talk.measure,
    "doors": doors.measure,
    "deadlines": deadlines.measure,
    "hints": hints.measure,
    "thinking": thinking.measure,
    "webhooks": webhooks.measure,
    "play": play.measure,
    "memory": memory.measure,
    "board": board.measure,
    "bots": bots.measure,
}
RESULTS = Path(__file__).with_name("RESULTS.md")
HEAD = """\
# Results

`python -m benchmarks --write` generates this page; `make bench` prints the same tables for your machine. Compare ratios
rather than absolute speeds: machines differ, and this one may have been busy with other work.
"""


def _choose(context: click.Context, parameter: click.Parameter, names: str) -> list[str]:
    chosen = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in chosen if name not in MEASURES]
    if unknown:
        raise click.BadParameter(f"there is no measurement {', '.join(unknown)}; choose from {', '.join(MEASURES)}")
    return chosen or list(MEASURES)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--only",
    callback=_choose,
    default="",
    help=f"Run only these, separated by commas: {', '.join(MEASURES)}.",
)
@click.option("--quick", is_flag=True, help="Run shorter, less precise measurements.")
@click.option("--write", is_flag=True, help=f"Overwrite {RESULTS.name}; cannot be combined with --only or --quick.")
def main(only: list[str], quick: bool, write: bool) -> None:
    """Run the benchmarks on this machine; this takes several minutes.

    The exit code is 1 if a bot is weaker than required; the speed of the machine does not affect the exit code.
    """
    if write and (quick or len(only) < len(MEASURES)):
        raise click.UsageError("--write needs all measurements: leave out --only and --quick")
    exit_when_terminated()
    where = machine()
    sections = {name: _run_measurement(name, quick) for name in MEASURES if name in only}
    print_sections(where, sections.values())
    if write:
        RESULTS.write_text("\n".join(_document(where, list(sections.values()))))
    if "bots" in sections and any(row.met is False for row in sections["bots"].rows):
        sys.exit(1)


def _run_measurement(name: str, quick: bool) -> Section:
    """Run one measurement, and show its progress on a terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:>8}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(name, total=1.0)
        return MEASURES[name](quick, lambda part: progress.update(task, completed=part))


def _document(where: dict[str, str], sections: list[Section]) -> list[str]:
    lines = [HEAD, "| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in where.items())]
    for section in sections:
        lines += ["", *markdown(section)]
    return [*lines, ""]


main(prog_name="python -m benchmarks")
