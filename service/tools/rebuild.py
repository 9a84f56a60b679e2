"""`condottiere rebuild`: prints each difference between indexes and logs, with a progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..config import Config
from ..rebuild.rebuild import open_rebuild, rebuild
from ..rebuild.run import RebuildRun


def run(config: Config, games: Sequence[str], *, check: bool) -> bool:
    """Rebuild the indexes of the named games, or of all games if none is named. Return True if no difference remains.

    If `check` is true, nothing is changed. Raises: StoreUnavailable.
    """
    differences = repaired = 0
    with open_rebuild(config, games, mends=not check) as run:
        with _progress(run) as advance:
            for finding in rebuild(run, advance):
                print(finding)
                differences += 1
                repaired += finding.mended
        print(_summary(run.games_read, differences, repaired, check=check))
    return differences == repaired


def _summary(games: int, differences: int, repaired: int, *, check: bool) -> str:
    """Return the summary line.

    >>> _summary(1, 0, 0, check=True)
    '1 game read: all indexes match the logs'
    >>> _summary(2, 3, 2, check=False)
    '2 games read: 3 findings, 2 repaired'
    """
    read = f"{games:,} {'game' if games == 1 else 'games'} read"
    if not differences:
        return f"{read}: all indexes match the logs"
    findings = f"{differences:,} {'finding' if differences == 1 else 'findings'}"
    return f"{read}: {findings}, {'nothing was written' if check else f'{repaired:,} repaired'}"


@contextmanager
def _progress(run: RebuildRun) -> Iterator[Callable[[], None]]:
    """Show a rebuild's progress on a terminal, and yield a function that the caller must call after each step.

    Findings that are printed to the same terminal appear above the progress bar.
    """
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    unit = "games" if run.games else "shards"
    with Progress(
        *columns,
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=False,
    ) as progress:
        task = progress.add_task(unit, total=run.parts)
        yield lambda: progress.update(task, completed=run.done, description=f"{unit}, {run.games_read:,} games read")
