"""An arena's report, as text for people and as JSON: a row for each cell, and ratings for each table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from statistics import fmean, median_low
from typing import Any, NamedTuple

from rich import box
from rich.table import Table

from .cells import Cell, Deal
from .statistics import decide, interval, ratings

ABOVE, BELOW, OPEN = "above", "below", "open"
"""The verdicts on whether a bot's share of wins reaches a goal."""


class Row(NamedTuple):
    """The result of a cell: its deals and games so far, the share of games won (with its 95% interval), and CPU times.

    `share`, `low` and `high` are None before the first deal. `timed` is the number of deals that were timed. The times
    (microseconds per move) are medians over these deals, or None if no deal was timed. `verdict` is `above`, `below` or
    `open`, or None if there is no goal. `finished` is true if the cell needs no more deals.
    """

    cell: Cell
    deals: int
    games: int
    share: float | None
    low: float | None
    high: float | None
    cpu_p50: int | None
    cpu_p95: int | None
    verdict: str | None
    finished: bool
    timed: int


def row_of(cell: Cell, deals: Sequence[Deal]) -> Row:
    """Return the result of a cell. `deals` are the cell's deals, in the order of their numbers."""
    shares = [deal.share for deal in deals]
    decision = None if cell.goal is None else decide(shares, cell.goal)
    verdict = None if cell.goal is None else OPEN if decision is None else ABOVE if decision else BELOW
    finished = decision is not None or len(deals) >= cell.deals
    if not deals:
        return Row(cell, 0, 0, None, None, None, None, None, verdict, finished, 0)
    low, high = interval(shares, cell.seats)
    times = [deal.cpu for deal in deals if deal.cpu is not None]
    return Row(
        cell,
        len(deals),
        len(deals) * cell.seats,
        fmean(shares),
        low,
        high,
        median_low(p50 for p50, _ in times) if times else None,
        median_low(p95 for _, p95 in times) if times else None,
        verdict,
        finished,
        len(times),
    )


class Rating(NamedTuple):
    """A bot's rating at one table, and the rating's 95% interval, in points above the last bot on the command line."""

    bot: str
    rating: float
    low: float
    high: float


def ratings_of(cells: Sequence[Cell], deals: Mapping[Cell, Sequence[Deal]]) -> list[Rating]:
    """Return the ratings of the bots at one table, or [] if fewer than three bots have played there."""
    shares = {(cell.bot, cell.others): [deal.share for deal in deals[cell]] for cell in cells if deals[cell]}
    bots = {bot for pair in shares for bot in pair}
    if len(bots) < 3:
        return []
    zero = cells[-1].others if cells[-1].others in bots else next(reversed(shares))[1]
    return [Rating(bot, *values) for bot, values in ratings(shares, cells[0].seats, zero).items()]


def tables(rows: Sequence[Row], deals: Mapping[Cell, Sequence[Deal]]) -> Iterator[tuple[str, Table]]:
    """Yield the title and results of each kind of game table. If there are ratings, yield "" and the ratings last."""
    for title, group in groupby(rows, lambda row: row.cell.table):
        own = list(group)
        goal = ["Goal"] if any(row.cell.goal is not None for row in own) else []
        table = _table(("Bot", "Against"), ("Games", "Share", "95% interval", "µs p50/p95", *goal))
        for row in own:
            table.add_row(row.cell.bot, row.cell.others, *_cells(row)[: 4 + len(goal)])
        yield title, table
        found = ratings_of([row.cell for row in own], deals)
        if found:
            table = _table(("Rating",), ("Points", "95% interval"))
            for bot, rating, low, high in found:
                table.add_row(bot, f"{rating:+.0f}", f"{low:+.0f} to {high:+.0f}")
            yield "", table


def records(rows: Sequence[Row], deals: Mapping[Cell, Sequence[Deal]]) -> dict[str, Any]:
    """Return the report as JSON: the cells, and the ratings at each table."""
    found = {}
    for title, group in groupby(rows, lambda row: row.cell.table):
        ratings = ratings_of([row.cell for row in group], deals)
        if ratings:
            found[title] = [rating._asdict() for rating in ratings]
    cells = [{**_cell_record(row.cell), **row._asdict() | {"cell": row.cell.key}} for row in rows]
    return {"cells": cells, "ratings": found}


def _cell_record(cell: Cell) -> dict[str, Any]:
    return {**cell._asdict(), "options": dict(cell.options), "par": 1 / cell.seats, "most_deals": cell.deals}


def _cells(row: Row) -> list[str]:
    goal = "" if row.cell.goal is None else f"{100 * row.cell.goal:.0f}%: {_verdict(row)}"
    if row.share is None or row.low is None or row.high is None:
        return ["0", "", "", "", goal]
    between = f"{100 * row.low:.1f} to {100 * row.high:.1f}"
    times = "" if row.cpu_p50 is None or row.cpu_p95 is None else f"{row.cpu_p50:,}/{row.cpu_p95:,}"
    return [f"{row.games:,}", f"{100 * row.share:.1f}%", between, times, goal]


def _verdict(row: Row) -> str | None:
    if row.verdict == OPEN:
        return "undecided" if row.finished else "unfinished"
    return row.verdict


def _table(names: Sequence[str], numbers: Sequence[str]) -> Table:
    """Return an empty table: columns of names, then columns of numbers."""
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for name in names:
        table.add_column(name, no_wrap=True)
    for number in numbers:
        table.add_column(number, justify="right", no_wrap=True)
    return table
