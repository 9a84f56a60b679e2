"""`python -m benchmarks.fit`: fit the outlook of the bot `expert` to games that `skilled` plays against itself.

The command plays games for each kind of table. Each position between two battles becomes an example: the features of
all seats, and each seat's share of the victory in the end. The coefficients maximise the likelihood of these shares
(stochastic gradient steps, with a step size for each coefficient). Some moves are made at random, so that the examples
are not all alike.

The same seed and number of games give the same coefficients. After each kind of table, the coefficients are written to
the file, with their provenance.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from math import exp, log, sqrt
from operator import mul
from pathlib import Path
from random import Random
from typing import NamedTuple

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from engine import RandomChance, State, advance, replay, start, view_for
from engine.bots.heuristic import Weights, choose_by_weights
from engine.bots.outlook import FEATURES, features
from engine.bots.skilled_1 import WEIGHTS
from engine.chance import OnlyLots, WouldDraw
from engine.phase_names import CHOOSE_REGION

from .tune import Table, tables_of

AT_RANDOM = 0.04
"""The probability that a random move replaces the bot's move."""
PASSES = 6
"""The number of passes over all examples."""
TESTED = 10
"""One game in `TESTED` is not used for fitting, but to test how well the coefficients predict."""
STEP, SHRINKING = 0.1, 1e-4
"""The size of the first gradient step, and how much each step pulls coefficients towards 0."""


class Example(NamedTuple):
    """A position: whether new cards are about to be dealt, each seat's features, and each seat's final share."""

    dealt: bool
    rows: tuple[tuple[float, ...], ...]
    shares: tuple[float, ...]


def play(table: Table, weights: Weights, seed: str) -> list[Example]:
    """Play one game and return its examples."""
    random = Random(seed)
    chance, lots = RandomChance(random), OnlyLots(random)
    state = replay(start(table.key, table.seats, chance, table.options))
    found: list[tuple[bool, tuple[tuple[float, ...], ...]]] = []
    battles = 0
    while state.result is None:
        if state.phase == CHOOSE_REGION and state.battles > battles:
            battles = state.battles
            found.append((False, _rows(state, weights, dealt=False)))
        view = view_for(state, state.turn)
        command = choose_by_weights(view, random, weights)
        if random.random() < AT_RANDOM:
            command = random.choice(view.legal)
        if state.phase != CHOOSE_REGION:
            twin = state.copy()
            try:
                advance(twin, command, lots)
            except WouldDraw:
                if twin.battles > state.battles or twin.rounds > state.rounds:
                    found.append((True, _rows(twin, weights, dealt=True)))
        advance(state, command, chance)
    winners = state.result.winners or range(table.seats)
    shares = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(table.seats))
    return [Example(dealt, rows, shares) for dealt, rows in found]


def _rows(state: State, weights: Weights, *, dealt: bool) -> tuple[tuple[float, ...], ...]:
    return tuple(features(state, seat, weights.prices, dealt=dealt) for seat in range(state.seats))


def predict(coefficients: Sequence[float], rows: Sequence[Sequence[float]]) -> list[float]:
    """Return each seat's predicted share of the victory, given each seat's features in `rows`."""
    scores = [sum(map(mul, coefficients, row)) for row in rows]
    odds = [exp(score - max(scores)) for score in scores]
    total = sum(odds)
    return [odd / total for odd in odds]


def loss(coefficients: Sequence[float], examples: Sequence[Example]) -> float:
    """Return the mean log loss, in nats, or 0 if there are no examples."""
    total = 0.0
    for _, rows, shares in examples:
        total -= sum(
            share * log(max(chance, 1e-9)) for share, chance in zip(shares, predict(coefficients, rows), strict=True)
        )
    return total / max(1, len(examples))


def fit(examples: Sequence[Example], random: Random) -> list[float]:
    """Return the coefficients that fit the examples best."""
    size = len(FEATURES)
    coefficients, squares = [0.0] * size, [1e-8] * size
    order = [*examples]
    for _ in range(PASSES):
        random.shuffle(order)
        for _, rows, shares in order:
            gaps = [share - chance for share, chance in zip(shares, predict(coefficients, rows), strict=True)]
            for index, column in enumerate(zip(*rows, strict=True)):
                slope = sum(map(mul, gaps, column)) - SHRINKING * coefficients[index]
                if slope:
                    squares[index] += slope * slope
                    coefficients[index] += STEP * slope / sqrt(squares[index])
    return [round(coefficient, 4) for coefficient in coefficients]


class Fitted(NamedTuple):
    """The coefficients for a kind of table, and the mean log loss on the test games, with and without the coefficients.

    `examples` is the number of examples used for fitting. Each pair has one value for known hands and one for hands
    that are about to be dealt. If there are no examples, as in a duel, the coefficients are 0.
    """

    coefficients: tuple[list[float], list[float]]
    examples: tuple[int, int]
    loss: tuple[float, float]
    loss_without: tuple[float, float]


def fit_kind(kind: str, games: int, seed: int, on_game: Callable[[], object]) -> Fitted:
    """Play games at one kind of table and fit its coefficients. Call `on_game` after each game."""
    tables = tables_of(kind)
    fitted: tuple[list[Example], list[Example]] = ([], [])
    tested: tuple[list[Example], list[Example]] = ([], [])
    for number in range(games):
        for example in play(tables[number % len(tables)], WEIGHTS[kind], f"fit/{kind}/{seed}/{number}"):
            (fitted if number % TESTED else tested)[example.dealt].append(example)
        on_game()
    random = Random(f"fit/{kind}/{seed}")
    held, dealt = fit(fitted[0], random), fit(fitted[1], random)
    nothing = [0.0] * len(FEATURES)
    return Fitted(
        (held, dealt),
        (len(fitted[0]), len(fitted[1])),
        (loss(held, tested[0]), loss(dealt, tested[1])),
        (loss(nothing, tested[0]), loss(nothing, tested[1])),
    )


def write(file: Path, kind: str, games: int, seed: int, fitted: Fitted) -> None:
    """Write the coefficients for a kind of table to the file, with their provenance."""
    content = json.loads(file.read_text()) if file.exists() else {}
    provenance = {
        "games": games,
        "seed": seed,
        "examples": fitted.examples,
        "loss": [round(number, 3) for number in fitted.loss],
        "loss without features": [round(number, 3) for number in fitted.loss_without],
    }
    held, dealt = fitted.coefficients
    content[kind] = {"held": held, "dealt": dealt, "provenance": provenance}
    file.write_text(json.dumps(dict(sorted(content.items())), indent=1) + "\n")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("kinds", nargs=-1)
@click.option("--games", type=click.IntRange(min=10), default=4000, show_default=True, help="Games per kind.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the games and the fitting.")
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to write. Other kinds' entries do not change.",
)
def main(kinds: Sequence[str], games: int, seed: int, file: Path) -> None:
    """Fit the outlook for KINDS of table, such as board-3 or duel-2 (default: all kinds)."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as progress:
        for kind in kinds or sorted(WEIGHTS):
            task = progress.add_task(kind, total=games)
            fitted = fit_kind(kind, games, seed, partial(progress.advance, task))
            write(file, kind, games, seed, fitted)
            print(f"{kind}: log loss {fitted.loss}, without features {fitted.loss_without}", file=sys.stderr)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.fit")
