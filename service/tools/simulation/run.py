"""`condottiere simulate`: lets bots play many games against each other, and reports the results.

Standard output contains only the result, which is the same for any number of processes.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Protocol, TextIO

import orjson
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .games import Game, Plan, play_game
from .jobs import in_processes
from .report import Tally, tables, title


class Report(Protocol):
    """Receives the games one at a time."""

    def add(self, game: Game) -> None:
        """Add the next game."""
        ...

    def finish(self) -> None:
        """Write the rest of the report after the last game."""
        ...


def run(plan: Plan, jobs: int, form: str, out: TextIO) -> bool:
    """Play a plan's games in `jobs` processes and report them in one of the `FORMATS`.

    Ctrl-C stops the games, and the report covers the games played so far. Returns whether all games were played.
    Raises: LostProcess.
    """
    report = FORMATS[form](plan, out)
    games = 0
    try:
        games_of_plan = in_processes(partial(play_game, plan), range(1, plan.games + 1), jobs)
        with _progress(plan.games, out, form) as advance, closing(games_of_plan) as stream:
            for game in stream:
                report.add(game)
                games += 1
                advance()
    except KeyboardInterrupt:
        print(f"stopped after {games} of {plan.games} games", file=sys.stderr)
    report.finish()
    return games == plan.games


class Tables:
    """Prints tables for people to read, after the last game."""

    def __init__(self, plan: Plan, out: TextIO) -> None:
        """Collect the results of a plan, to print them to `out` at the end."""
        self._plan, self._out = plan, out
        self._tally = Tally()

    def add(self, game: Game) -> None:
        """Count a game."""
        self._tally.add(game)

    def finish(self) -> None:
        """Print the tables, unless no game was played."""
        if not self._tally.games:
            return
        console = Console(file=self._out, highlight=False)
        console.print(title(self._plan, self._tally.games), soft_wrap=True)
        for table in tables(self._tally):
            console.print(table)


class JsonLines:
    """Writes one JSON object per game, with the fields of `Game`."""

    def __init__(self, plan: Plan, out: TextIO) -> None:
        """Write the lines to `out`."""
        del plan
        self._out = out

    def add(self, game: Game) -> None:
        """Write a game."""
        self._out.write(orjson.dumps(game._asdict()).decode() + "\n")

    def finish(self) -> None:
        """Do nothing, because everything has been written already."""


class Csv:
    """Writes a header line, and then one line per game.

    Per-seat values have one column for each seat. The items of a list are separated by spaces.
    """

    def __init__(self, plan: Plan, out: TextIO) -> None:
        """Write the header line."""
        self._writer = csv.writer(out, lineterminator="\n")
        seats = range(len(plan.bots))
        bots = [f"bot_{seat}" for seat in seats]
        counts = [f"{name}_{seat}" for name in ("regions", "won", "points") for seat in seats]
        self._writer.writerow(["game", *bots, "winners", "reasons", "moves", "battles", "rounds", *counts])

    def add(self, game: Game) -> None:
        """Write a game."""
        lengths = (game.moves, game.battles, game.rounds)
        lists = (_join(game.winners), _join(game.reasons))
        self._writer.writerow([game.game, *game.bots, *lists, *lengths, *game.regions, *game.won, *game.points])

    def finish(self) -> None:
        """Do nothing, because everything has been written already."""


FORMATS: Mapping[str, Callable[[Plan, TextIO], Report]] = {"table": Tables, "jsonl": JsonLines, "csv": Csv}
"""The formats of a report."""


def _join(values: Sequence[object]) -> str:
    return " ".join(map(str, values))


@contextmanager
def _progress(games: int, out: TextIO, form: str) -> Iterator[Callable[[], None]]:
    """Show the progress on a terminal, and yield a function that the caller must call after each game.

    No bar is shown if the report writes lines to the same terminal, because these lines show the progress.
    """
    hidden = not sys.stderr.isatty() or (form != "table" and out.isatty())
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    # If rich redirected standard output, the report would go to the bar's console, which is standard error.
    with Progress(
        *columns, console=Console(stderr=True), disable=hidden, redirect_stdout=False, redirect_stderr=False
    ) as progress:
        task = progress.add_task("games", total=games)
        yield lambda: progress.advance(task)
