"""`condottiere simulate`: bots play many games against each other, and what became of them is told.

Standard output holds the result and nothing else; it is the same however many processes play.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Protocol, TextIO

import orjson
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .games import Game, Plan
from .jobs import played
from .report import Tally, tables, title


class Report(Protocol):
    """Takes the games one by one."""

    def add(self, game: Game) -> None:
        """Take the next game."""
        ...

    def finish(self) -> None:
        """Tell what is still to be told when the last game was played."""
        ...


def run(plan: Plan, jobs: int, form: str, out: TextIO) -> bool:
    """Play a plan's games in so many processes and report them in a format of `FORMATS`.

    Ctrl-C stops the games, not the report. Returns whether all games were played. Raises: LostProcess.
    """
    report = FORMATS[form](plan, out)
    games = 0
    try:
        with _progress(plan.games, out, form) as advance, closing(played(plan, jobs)) as stream:
            for game in stream:
                report.add(game)
                games += 1
                advance()
    except KeyboardInterrupt:
        print(f"stopped after {games} of {plan.games} games", file=sys.stderr)
    report.finish()
    return games == plan.games


class Tables:
    """Tables for people, at the end."""

    def __init__(self, plan: Plan, out: TextIO) -> None:
        """Take what is played and where to tell it."""
        self._plan, self._out = plan, out
        self._tally = Tally()

    def add(self, game: Game) -> None:
        """Count a game."""
        self._tally.add(game)

    def finish(self) -> None:
        """Print the tables; none where no game was played."""
        if not self._tally.games:
            return
        console = Console(file=self._out, highlight=False)
        console.print(title(self._plan, self._tally.games), soft_wrap=True)
        for table in tables(self._tally):
            console.print(table)


class JsonLines:
    """One JSON object a game, with the fields of `Game`."""

    def __init__(self, plan: Plan, out: TextIO) -> None:
        """Take where to write."""
        del plan
        self._out = out

    def add(self, game: Game) -> None:
        """Write a game."""
        self._out.write(orjson.dumps(game._asdict()).decode() + "\n")

    def finish(self) -> None:
        """Everything is written."""


class Csv:
    """One line a game below a line of names; a column a seat for what is counted by seat, lists separated by spaces."""

    def __init__(self, plan: Plan, out: TextIO) -> None:
        """Write the line of names."""
        self._writer = csv.writer(out, lineterminator="\n")
        seats = range(len(plan.bots))
        bots = [f"bot_{seat}" for seat in seats]
        counts = [f"{name}_{seat}" for name in ("regions", "won", "points") for seat in seats]
        self._writer.writerow(["game", *bots, "winners", "reasons", "moves", "battles", "rounds", *counts])

    def add(self, game: Game) -> None:
        """Write a game."""
        lengths = (game.moves, game.battles, game.rounds)
        lists = (_joined(game.winners), _joined(game.reasons))
        self._writer.writerow([game.game, *game.bots, *lists, *lengths, *game.regions, *game.won, *game.points])

    def finish(self) -> None:
        """Everything is written."""


FORMATS: Mapping[str, Callable[[Plan, TextIO], Report]] = {"table": Tables, "jsonl": JsonLines, "csv": Csv}
"""How games may be reported."""


def _joined(values: Sequence[object]) -> str:
    return " ".join(map(str, values))


@contextmanager
def _progress(games: int, out: TextIO, form: str) -> Iterator[Callable[[], None]]:
    """Show on a terminal how far it is, and yield what to call after each game.

    Not where lines go to the same terminal: they tell it themselves.
    """
    hidden = not sys.stderr.isatty() or (form != "table" and out.isatty())
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    # Redirected, what is written to standard output would go to the bar's console, which is standard error.
    with Progress(
        *columns, console=Console(stderr=True), disable=hidden, redirect_stdout=False, redirect_stderr=False
    ) as progress:
        task = progress.add_task("games", total=games)
        yield lambda: progress.advance(task)
