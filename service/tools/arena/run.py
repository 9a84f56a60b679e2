"""`condottiere arena`: lets bots play the same deals from every seat, and reports how strong each bot is.

Standard output contains only the report. The win shares do not depend on the number of processes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TextIO

import orjson
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ..simulation.jobs import in_processes
from .cells import Cell, Deal, play_deal
from .report import Row, records, row_of, tables
from .results import ResultsFile, read_results
from .statistics import decide

OnDeal = Callable[[Cell, int], None]
"""A function that receives a cell and the number of its deals that have been played."""


def run(cells: Sequence[Cell], results: Path | None, jobs: int, as_json: bool, out: TextIO) -> bool:
    """Play the deals that are missing from the results file, and report the results of all cells.

    Ctrl-C stops the games, and the report covers the deals played so far. Returns whether all cells are finished.
    Raises: BadResults, LostProcess, OSError.
    """
    deals = read_deals(cells, results)
    finished = play_missing(deals, results, jobs)
    write_report([row_of(cell, deals[cell]) for cell in cells], deals, as_json, out)
    return finished


def read_deals(cells: Sequence[Cell], results: Path | None) -> dict[Cell, list[Deal]]:
    """For each cell, return its deals in the results file, in the order of their numbers.

    Raises: BadResults, OSError.
    """
    known = {} if results is None else read_results(results)
    deals: dict[Cell, list[Deal]] = {}
    for cell in cells:
        own, played = known.get(cell.key, {}), deals.setdefault(cell, [])
        while len(played) in own and not _is_finished(cell, played):
            played.append(own[len(played)])
    return deals


def play_missing(deals: Mapping[Cell, list[Deal]], results: Path | None, jobs: int) -> bool:
    """Play the missing deals of each cell, and add them to `deals` and to the file.

    Ctrl-C stops the games. Returns whether all cells are finished. Raises: LostProcess, OSError.
    """
    try:
        with ResultsFile(results) as file, _progress(deals) as on_deal:
            for cell, played in deals.items():
                _play_cell(cell, played, file, jobs, on_deal)
    except KeyboardInterrupt:
        print("stopped; the report covers the deals played so far", file=sys.stderr)
        return False
    return True


def _play_cell(cell: Cell, played: list[Deal], file: ResultsFile, jobs: int, on_deal: OnDeal) -> None:
    if not _is_finished(cell, played):
        missing = range(len(played), cell.deals)
        with closing(in_processes(partial(play_deal, cell), missing, jobs)) as stream:
            for deal in stream:
                played.append(deal)
                file.append(cell, deal)
                on_deal(cell, len(played))
                if _is_finished(cell, played):
                    break
    on_deal(cell, cell.deals)


def _is_finished(cell: Cell, deals: Sequence[Deal]) -> bool:
    if len(deals) >= cell.deals:
        return True
    return cell.goal is not None and decide([deal.share for deal in deals], cell.goal) is not None


def write_report(rows: Sequence[Row], deals: Mapping[Cell, Sequence[Deal]], as_json: bool, out: TextIO) -> None:
    """Write the report as tables or as one JSON object."""
    if as_json:
        out.write(orjson.dumps(records(rows, deals)).decode() + "\n")
        return
    console = Console(file=out, highlight=False)
    for title, table in tables(rows, deals):
        if title:
            console.print(title, soft_wrap=True)
        console.print(table)


@contextmanager
def _progress(deals: Mapping[Cell, Sequence[Deal]]) -> Iterator[OnDeal]:
    """Show the progress of all cells on a terminal, and yield a function that the caller calls after each deal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        redirect_stdout=False,
        redirect_stderr=False,
    ) as progress:
        task = progress.add_task("deals", total=sum(cell.deals for cell in deals))
        played = {cell: len(own) for cell, own in deals.items()}

        def on_deal(cell: Cell, count: int) -> None:
            played[cell] = count
            progress.update(task, completed=sum(played.values()), description=f"{cell.bot} v. {cell.others}")

        yield on_deal
