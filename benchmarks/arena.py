"""`python -m benchmarks.arena`: how strong the bots are in every edition, written to ARENA.md.

The deals are in arena.jsonl, to which each deal is appended: the command continues where it stopped, and can be stopped
with Ctrl-C. The deals are the same on every machine and in every run, until a bot or a rule changes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from engine import DEFAULT, NEWEST
from service.tools.arena.cells import Cell
from service.tools.arena.report import Row, row_of
from service.tools.arena.run import play_missing, read_deals
from service.tools.simulation.players import full_name

from .tune import options_of

FOLDER = Path(__file__).parent
RESULTS, DOCUMENT = FOLDER / "arena.jsonl", FOLDER / "ARENA.md"
PAIRS = (("skilled", "steady"), ("steady", "random"), ("skilled", "random"))
DEALS = {2: 300, 3: 400, 4: 200, 6: 60}
"""The deals of a cell, by the number of seats; each is played once from every seat."""
SEED = 2026
HEAD = """\
# Arena

Written by `python -m benchmarks.arena` from the deals in `arena.jsonl`; [docs/bots.md](../docs/bots.md#the-arena)
explains the columns. A row is one bot against copies of another in all other seats. Each deal is played once from
every seat. The intervals are 95 % intervals, computed over deals. A goal is met if the lower end of the interval
reaches it. CPU times are those of the machine on which the deals were played.
"""


def goal_of(cell: Cell) -> float | None:
    """Return the lower bound that a cell must reach, or None if it has no goal."""
    if (cell.bot, cell.others) != tuple(map(full_name, PAIRS[0])):
        return None
    if NEWEST[cell.edition].board is None:
        return 0.9
    if cell.edition == DEFAULT:
        return {2: 0.9, 3: 0.82, 4: 0.82}.get(cell.seats)
    return {2: 0.8, 4: 0.8}.get(cell.seats)


def cells() -> Iterator[Cell]:
    """Yield every cell: first those with a goal."""
    for bot, others in PAIRS:
        for key in sorted(NEWEST, key=lambda key: key != DEFAULT):
            for seats, deals in DEALS.items():
                options = options_of(NEWEST[key], seats)
                if options is not None:
                    names = full_name(bot), full_name(others)
                    yield Cell(key, tuple(options.items()), seats, *names, SEED, deals, None)


def document(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of ARENA.md."""
    yield HEAD
    for pair in PAIRS:
        bot, others = map(full_name, pair)
        yield from (f"## `{bot}` against `{others}`", "")
        yield "| Edition | Seats | Deals | Games | Share | 95 % interval | Par | CPU p50 | CPU p95 | Goal |"
        yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|"
        for row in rows:
            if (row.cell.bot, row.cell.others) == (bot, others):
                yield f"| {' | '.join(_cells(row))} |"
        yield ""
    unfinished = [row for row in rows if not row.finished]
    yield f"{len(unfinished) or 'No'} cell{'s are' if len(unfinished) != 1 else ' is'} unfinished."


def _cells(row: Row) -> tuple[str, ...]:
    cell = row.cell
    name = cell.table.rpartition(",")[0]
    deals = f"{row.deals:,}" if row.finished else f"{row.deals:,} of {cell.deals:,}, unfinished"
    if row.share is None or row.low is None or row.high is None:
        return (name, str(cell.seats), deals, "0", *[""] * 6)
    goal = goal_of(cell)
    return (
        name,
        str(cell.seats),
        deals,
        f"{row.games:,}",
        f"{100 * row.share:.1f} %",
        f"{100 * row.low:.1f} to {100 * row.high:.1f}",
        f"{100 / cell.seats:.1f} %",
        f"{row.cpu_p50:,} µs",
        f"{row.cpu_p95:,} µs",
        "" if goal is None else f"≥ {100 * goal:.0f} %: {'met' if row.low >= goal else '**not met**'}",
    )


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Number of processes.")
@click.option("--write-only", is_flag=True, help="Only write ARENA.md from the deals that have been played.")
def main(jobs: int, write_only: bool) -> None:
    """Play the deals that are missing, and write ARENA.md."""
    deals = read_deals([*cells()], RESULTS)
    finished = write_only or play_missing(deals, RESULTS, jobs)
    DOCUMENT.write_text("\n".join(document([row_of(cell, own) for cell, own in deals.items()])) + "\n")
    if not finished:
        sys.exit(130)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.arena")
