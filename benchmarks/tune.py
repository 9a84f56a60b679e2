"""`python -m benchmarks.tune`: improve the weights of the bot `skilled` by playing games.

The command tunes one kind of table at a time, by hill climbing. Each step changes a few weights at random, and plays
the deals that the current weights have played, once from every seat. The change is kept if it wins more games. Half of
the opponents are `steady`. The others are `random`, the original weights and the current weights, so that the bot does
not learn to beat only one opponent. A step that is clearly worse is abandoned early. New deals are used every few
steps.

The same seed, number of steps and original weights give the same result. The file is written after every improvement,
with its provenance.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from engine import NEWEST, Command, Edition, RandomChance, advance, edition, replay, start, view_for
from engine.bots import BOTS, Situation
from engine.bots.heuristic import Weights, choose_by_weights
from engine.bots.skilled_1 import MOST_TUNED, kind_of, weights_of

Choose = Callable[[Situation], Command]

STEADY, RANDOM = BOTS["steady"].choose, BOTS["random"].choose
DEALS = 240
"""The maximum number of games in a step, unless `LEAST_DEALS` deals need more games."""
LEAST_DEALS = 40
STAGES = (0.25, 0.5, 1.0)
"""The shares of the deals after which a step may be abandoned."""
STEPS_WITH_THE_SAME_DEALS = 12
CHANGED = 0.2
"""The probability that a step changes a given weight."""
OPPONENTS = "steady,last,steady,first,steady,last,steady,random"
"""The opponents, which take turns from deal to deal.

`first` plays with the original, `last` with the current weights.
"""
TWO_ON_THE_BOARD = "two_on_the_board"


GUESS = "guess"
"""The name by which `--from` selects the weights below."""
FIRST = Weights(
    prices=(0.5, 0.8, 1.1, 1.5, 1.9, 2.3, 4.0, 4.0, 3.5, 1.0, 2.5, 2.0, 2.0, 1.5, 2.5),
    region=6.0,
    link=2.0,
    close=4.0,
    win=40.0,
    harm=0.3,
    stop=20.0,
    marker=1.0,
    play=-0.5,
    ahead=0.3,
    behind=0.0,
    margin=0.5,
    reach=1.0,
    rival=-0.3,
    hopeless=-1.0,
    hold=-1.0,
    hold_margin=1.0,
    hold_reach=0.5,
    hold_rival=-0.5,
    unseen=3.0,
    thrift=1.0,
    thrift_own=0.0,
    thrift_rivals=0.0,
    thrift_laid=0.0,
    need=0.3,
    take_back=0.7,
    deny=0.5,
    bold=0.2,
    neighbour=0.3,
    favor=1.0,
    discard=1.0,
    discard_last=3.0,
)
"""Guessed weights, with which the first tuning started."""


class Table(NamedTuple):
    """A table: an edition with options, and a number of seats."""

    key: str
    options: Mapping[str, str | int]
    seats: int


def tables_of(kind: str) -> list[Table]:
    """Return the tables of a kind in all editions."""
    found = []
    for key, newest in NEWEST.items():
        for seats in range(2, min(newest.most_seats, MOST_TUNED) + 1):
            options = options_of(newest, seats)
            if options is not None and kind_of(edition(key, options=options), seats) == kind:
                found.append(Table(key, options, seats))
    return found


def options_of(value: Edition, seats: int) -> Mapping[str, str | int] | None:
    """Return the options with which an edition supports a number of seats, or None if it cannot support that number."""
    if seats > value.most_seats:
        return None
    if seats >= value.fewest_seats:
        return {}
    return {TWO_ON_THE_BOARD: True} if any(option.key == TWO_ON_THE_BOARD for option in value.options) else None


def play(table: Table, players: Sequence[Choose], seed: str) -> Sequence[int]:
    """Play one game and return its winners, or all seats after a draw."""
    chance = RandomChance(Random(seed))
    randoms = [Random(f"{seed}/{seat}") for seat in range(table.seats)]
    state = replay(start(table.key, table.seats, chance, table.options))
    while state.result is None:
        seat = state.turn
        advance(state, players[seat](Situation(view_for(state, seat), (), randoms[seat], 0)), chance)
    return state.result.winners or range(table.seats)


def player(weights: Weights) -> Choose:
    """Return the bot with these weights."""
    return lambda situation: choose_by_weights(situation.view, situation.random, weights)


def share(table: Table, hero: Choose, others: Choose, seed: str) -> float:
    """Play a deal once from every seat, and return the share of games that `hero` wins."""
    won = 0.0
    for seat in range(table.seats):
        players = [others] * table.seats
        players[seat] = hero
        winners = play(table, players, seed)
        won += (seat in winners) / len(winners)
    return won / table.seats


def flatten(weights: Weights) -> list[float]:
    """Return all weights as one list."""
    return [*weights.prices, *weights[1:]]


def unflatten(values: Sequence[float]) -> Weights:
    """Return the weights in a list that `flatten` returned."""
    prices = len(values) - len(Weights._fields) + 1
    return Weights(tuple(values[:prices]), *values[prices:])


def changed(weights: Weights, random: Random, size: float) -> Weights:
    """Return a copy of the weights, with some of them changed at random by about `size` times half their value."""
    values = flatten(weights)
    chosen = [index for index in range(len(values)) if random.random() < CHANGED] or [random.randrange(len(values))]
    for index in chosen:
        values[index] += random.gauss(0, size) * max(abs(values[index]), 0.6) * 0.5
    return unflatten([round(value, 3) for value in values])


class Tuning:
    """The hill climbing for one kind of table."""

    def __init__(self, kind: str, seed: int, first: Weights, opponents: Sequence[str]) -> None:
        """Start with the weights `first`."""
        self.opponents = opponents
        self.tables = tables_of(kind)
        self.kind, self.seed = kind, seed
        self.first = self.last = first
        self.random = Random(f"tune/{kind}/{seed}")
        self.size = 1.0
        self.deals = max(LEAST_DEALS, DEALS // self.tables[0].seats)
        self.games = 0
        self.shares: list[float] = []
        self.block = -1

    def step(self, number: int) -> bool:
        """Try one change, and return whether it is kept."""
        if number // STEPS_WITH_THE_SAME_DEALS != self.block:
            self.block = number // STEPS_WITH_THE_SAME_DEALS
            self.opponent = self.last
            self.shares = [self._share(self.last, deal) for deal in range(self.deals)]
        candidate = changed(self.last, self.random, self.size)
        shares: list[float] = []
        for part in STAGES:
            while len(shares) < part * self.deals:
                shares.append(self._share(candidate, len(shares)))
            gains = [new - old for new, old in zip(shares, self.shares, strict=False)]
            doubt = stdev(gains) / sqrt(len(gains))
            if fmean(gains) < (0 if part < 1 else 0.4) * doubt:
                self.size = max(0.25, self.size * 0.97)
                return False
        self.last, self.shares = candidate, shares
        self.size = min(1.5, self.size * 1.25)
        return True

    def _share(self, weights: Weights, deal: int) -> float:
        table = self.tables[deal % len(self.tables)]
        names = {"steady": STEADY, "random": RANDOM, "first": player(self.first), "last": player(self.opponent)}
        others = names[self.opponents[deal // len(self.tables) % len(self.opponents)]]
        self.games += table.seats
        return share(table, player(weights), others, f"tune/{self.seed}/{self.block}/{deal}")


def write(file: Path, kind: str, weights: Weights, provenance: Sequence[Mapping[str, object]]) -> None:
    """Write the weights for a kind of table to the file, with the tunings that led to them, oldest first."""
    content = json.loads(file.read_text())
    content[kind] = {"weights": weights._asdict(), "provenance": provenance}
    file.write_text(json.dumps(dict(sorted(content.items())), indent=1) + "\n")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("kind")
@click.option("--steps", type=click.IntRange(min=1), default=200, show_default=True, help="Changes to try.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the changes and the deals.")
@click.option(
    "--from",
    "source",
    metavar="KIND",
    help=f"Start with the weights of another kind, or with {GUESS}.  [default: the weights of KIND]",
)
@click.option(
    "--opponents",
    default=OPPONENTS,
    show_default=True,
    help="The opponents, which take turns from deal to deal; first has the original weights, last the current ones.",
)
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="The weights file to read and write: a copy of the released bot's file, or a file that contains {}.",
)
def main(kind: str, steps: int, seed: int, source: str | None, opponents: str, file: Path) -> None:
    """Tune the weights for a KIND of table, such as board-3 or duel-2."""
    content = json.loads(file.read_text())
    begin = source or kind
    first = FIRST if begin == GUESS else weights_of(content, begin)
    before = [] if begin == GUESS else content[begin]["provenance"]
    tuning = Tuning(kind, seed, first, opponents.split(","))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        task = progress.add_task(kind, total=steps)
        kept = 0
        for number in range(steps):
            if tuning.step(number):
                kept += 1
                this = {
                    "from": begin,
                    "kind": kind,
                    "seed": seed,
                    "opponents": opponents,
                    "steps": number + 1,
                    "kept": kept,
                    "games": tuning.games,
                    "share": round(fmean(tuning.shares), 3),
                }
                write(file, kind, tuning.last, [*before, this])
                print(f"{kind} step {number}: {fmean(tuning.shares):.3f} size {tuning.size:.2f}", file=sys.stderr)
            progress.update(task, advance=1, description=f"{kind} {fmean(tuning.shares):.3f}")


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.tune")
