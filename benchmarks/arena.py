"""`python -m benchmarks.arena`: measure how strong the bots are in every edition, and write ARENA.md.

Each deal is appended to arena.jsonl, so you can stop the command with Ctrl-C, and the next run continues from there.
The deals are the same on every machine and in every run, until a bot or a rule changes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import click

from engine import DEFAULT, NEWEST
from service.tools.arena.cells import Cell, Deal, play_deal
from service.tools.arena.report import ABOVE, Row, row_of
from service.tools.arena.results import ResultsFile
from service.tools.arena.run import play_missing, read_deals
from service.tools.simulation.players import full_name

from .tune import options_of

FOLDER = Path(__file__).parent
RESULTS, DOCUMENT = FOLDER / "arena.jsonl", FOLDER / "ARENA.md"
SEARCHED = (("expert", "skilled"), ("expert", "steady"))
PAIRS = (*SEARCHED, ("skilled", "steady"), ("steady", "random"), ("skilled", "random"))
DEALS = {2: 300, 3: 400, 4: 200, 6: 60}
"""The number of deals in a cell, by number of seats. Each deal is played once from every seat."""
DEALS_SEARCHED = {2: 500, 3: 120, 4: 200}
"""The maximum number of deals in a cell with a search bot. Such a cell stops as soon as its goal is decided."""
SEED = 2026
DUEL, OTHERS = "duel", "others"
"""Keys in `GOALS`: `DUEL` stands for editions without a board, and `OTHERS` for the rest except the default edition."""
CPU_GOALS: Mapping[str, int] = {"skilled": 1_000, "expert": 700_000}
"""The maximum CPU time per move (p95, in microseconds) that a bot may use at any table."""
HEAD = """\
# Arena

`python -m benchmarks.arena` generates this page from the deals in `arena.jsonl`.
[docs/bots.md](../docs/bots.md#the-arena) explains the columns. In each row, one bot plays against copies of another bot
in all other seats. Each deal is played once from every seat. The intervals are 95% intervals, computed over deals. A
goal is met if the lower end of the interval reaches it. In a cell of a search bot, such as `expert`, a test after every
deal decides whether the goal is met, and the cell stops as soon as the test has a result. CPU times are those of the
machine on which the deals were played, which was often busy with other work. If only some deals of a row were timed,
their number is in brackets; the other deals were played by a faster program that makes the same moves. A deal has the
same result each time it is played: `python -m benchmarks.arena --check 10` plays ten of the recorded deals of `expert`
again. [docs/bots.md](../docs/bots.md#goals-that-are-not-met) says what was tried to reach the goals that are not met.
"""


GOALS: Mapping[tuple[str, str], Mapping[str, Mapping[int, float]]] = {
    ("skilled", "steady"): {
        DUEL: {2: 0.9},
        DEFAULT: {2: 0.9, 3: 0.82, 4: 0.82},
        OTHERS: {2: 0.8, 4: 0.8},
    },
    ("expert", "skilled"): {DUEL: {2: 0.62}, DEFAULT: {2: 0.62, 3: 0.75, 4: 0.83}, OTHERS: {4: 0.25}},
    ("expert", "steady"): {DUEL: {2: 0.96}, DEFAULT: {2: 0.96, 3: 0.86, 4: 0.9}},
}
"""The shares of wins that a bot must reach against another bot, by edition and by number of seats."""


def goal_of(pair: tuple[str, str], key: str, seats: int) -> float | None:
    """Return the share of wins that a pair's first bot must reach at a table, or None if there is no goal."""
    kind = DUEL if NEWEST[key].board is None else key if key == DEFAULT else OTHERS
    return GOALS.get(pair, {}).get(kind, {}).get(seats)


def cells() -> Iterator[Cell]:
    """Yield every cell, the default edition first.

    A pair with a search bot plays only at tables for which it has a goal.
    """
    for pair in PAIRS:
        searched = pair in SEARCHED
        for key in sorted(NEWEST, key=lambda key: key != DEFAULT):
            for seats, deals in (DEALS_SEARCHED if searched else DEALS).items():
                options, goal = options_of(NEWEST[key], seats), goal_of(pair, key, seats)
                if options is not None and (goal is not None or not searched):
                    bot, others = map(full_name, pair)
                    yield Cell(key, tuple(options.items()), seats, bot, others, SEED, deals, goal if searched else None)


def document(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of ARENA.md."""
    yield HEAD
    for pair in PAIRS:
        bot, others = map(full_name, pair)
        own = [row for row in rows if (row.cell.bot, row.cell.others) == (bot, others)]
        yield from (f"## `{bot}` against `{others}`", "")
        yield from _cpu_goal(pair[0], own)
        yield "| Edition | Seats | Deals | Games | Share | 95% interval | Par | CPU p50 | CPU p95 | Goal |"
        yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|"
        for row in own:
            yield f"| {' | '.join(_cells(row))} |"
        yield ""
    unfinished = [row for row in rows if not row.finished]
    yield f"{len(unfinished) or 'No'} cell{'s are' if len(unfinished) != 1 else ' is'} unfinished."


def _cpu_goal(bot: str, rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line that compares the bot's highest CPU time per move (p95) with its goal, if it has one."""
    times = [row.cpu_p95 for row in rows if row.cpu_p95 is not None]
    if bot in CPU_GOALS and times:
        goal, highest = CPU_GOALS[bot], max(times)
        verdict = "met" if highest <= goal else "**not met**"
        yield f"Highest CPU p95: {_duration(highest)}; goal: at most {_duration(goal)}, {verdict}."
        yield ""


def _cells(row: Row) -> tuple[str, ...]:
    cell = row.cell
    name = cell.table.rpartition(",")[0]
    deals = f"{row.deals:,}" if row.finished else f"{row.deals:,} of {cell.deals:,}, unfinished"
    if row.share is None or row.low is None or row.high is None:
        return (name, str(cell.seats), deals, "0", *[""] * 6)
    goal = goal_of((cell.bot.partition("@")[0], cell.others.partition("@")[0]), cell.edition, cell.seats)
    return (
        name,
        str(cell.seats),
        deals,
        f"{row.games:,}",
        f"{100 * row.share:.1f}%",
        f"{100 * row.low:.1f} to {100 * row.high:.1f}",
        f"{100 / cell.seats:.1f}%",
        _time(row.cpu_p50, row),
        _time(row.cpu_p95, row),
        "" if goal is None else f"≥ {100 * goal:.0f}%: {_verdict(row, goal)}",
    )


def _verdict(row: Row, goal: float) -> str:
    """Return whether a goal is met: the test says so, or the whole interval of a finished row is above the goal."""
    if row.verdict == ABOVE or (row.finished and row.low is not None and row.low >= goal):
        return "met"
    return "**not met**" if row.finished else "not decided"


def _time(microseconds: int | None, row: Row) -> str:
    if microseconds is None:
        return ""
    time = _duration(microseconds)
    return time if row.timed == row.deals else f"{time} ({row.timed})"


def _duration(microseconds: int) -> str:
    return f"{microseconds:,} µs" if microseconds < 10_000 else f"{microseconds / 1000:,.0f} ms"


def different(deals: Mapping[Cell, Sequence[Deal]], number: int, random: Random) -> int:
    """Replay some recorded deals of the search bots, print the outcomes, and return how many results are different."""
    recorded = [(cell, deal) for cell, own in deals.items() if cell.goal is not None for deal in own]
    found = 0
    for cell, deal in random.sample(recorded, min(number, len(recorded))):
        again = play_deal(cell, deal.number)
        found += again.won != deal.won
        print(f"{cell.key} deal={deal.number}: {'the same' if again.won == deal.won else 'DIFFERENT'}", flush=True)
    return found


def time_deals(deals: Mapping[Cell, list[Deal]], number: int, results: Path) -> int:
    """Replay deals without CPU times until each cell of a search bot has this number of timed deals.

    Append the timed deals to the results file, and put them into `deals`. Leave deals with a different result
    unchanged, and return their number.
    """
    found = 0
    with ResultsFile(results) as file:
        for cell, own in deals.items():
            if cell.goal is None:
                continue
            timed = sum(deal.cpu is not None for deal in own)
            for deal in [deal for deal in own if deal.cpu is None][: max(0, number - timed)]:
                again = play_deal(cell, deal.number)
                found += again.won != deal.won
                if again.won == deal.won:
                    own[deal.number] = again
                    file.append(cell, again)
    return found


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Number of processes.")
@click.option("--write-only", is_flag=True, help="Play no deals; only write ARENA.md from the recorded deals.")
@click.option("--check", type=click.IntRange(min=1), help="Only replay this number of random recorded deals.")
@click.option(
    "--time",
    "timed",
    type=click.IntRange(min=1),
    help="Only replay deals without CPU times, until each search bot's cell has this number of timed deals.",
)
def main(jobs: int, write_only: bool, check: int | None, timed: int | None) -> None:
    """Play the missing deals, and write ARENA.md."""
    deals = read_deals([*cells()], RESULTS)
    if check:
        sys.exit(different(deals, check, Random()))
    if timed and time_deals(deals, timed, RESULTS):
        sys.exit("a recorded deal now has a different result: run with --check")
    write_only = write_only or timed is not None
    finished = write_only or play_missing(deals, RESULTS, jobs)
    DOCUMENT.write_text("\n".join(document([row_of(cell, own) for cell, own in deals.items()])) + "\n")
    if not finished:
        sys.exit(130)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.arena")
