"""Play: random games through the public engine, `start`, `legal_commands` and `advance`, on one core.

A loop of additions runs alternately with the games, to show how fast the machine is at that time. The ratio is the
number of moves made in the time of one loop.
"""

from __future__ import annotations

from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

from engine import NEWEST, RandomChance, advance, legal_commands, replay, start

from .report import OnProgress, Row, Section

SLICES, QUICK_SLICES = 25, 7
SLICE_SECONDS = 0.12
LOOPS = 40
"""The number of loops before each slice. They take about a tenth of the slice's time."""
GOAL_SEATS = 4
GOAL_MOVES = 60_000
GOAL_GAMES = 300
"""The minimum games per second.

Each edition must reach the goals with `GOAL_SEATS` seats, or its highest number of seats.
"""


class Slice(NamedTuple):
    """The result of a short period: moves and games per second, and moves in the time of one loop."""

    moves: float
    games: float
    ratio: float


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure every edition with every number of seats, alternating after each slice."""
    tables = [
        (key, seats) for key, edition in NEWEST.items() for seats in range(edition.fewest_seats, edition.most_seats + 1)
    ]
    slices: list[list[Slice]] = [[] for _ in tables]
    random = Random(1)
    count = QUICK_SLICES if quick else SLICES
    for number in range(count):
        for (key, seats), found in zip(tables, slices, strict=True):
            found.append(_slice(key, seats, random))
        on_progress((number + 1) / count)
    return Section(
        title="Play",
        how=(
            "Whole games of random moves on one core: the median of many short slices, in CPU time. The last column "
            "is the number of moves made in the time of one `sum(range(10000))`, which is measured with each slice."
        ),
        columns=("Edition", "Seats", "Moves/s", "Games/s", "Moves/loop"),
        rows=tuple(_row(*table, found) for table, found in zip(tables, slices, strict=True)),
    )


def play_one(key: str, seats: int, random: Random) -> int:
    """Play one random game to its end and return its number of moves."""
    chance = RandomChance(random)
    state = replay(start(key, seats, chance))
    moves = 0
    while commands := legal_commands(state):
        advance(state, random.choice(commands), chance)
        moves += 1
    return moves


def _slice(key: str, seats: int, random: Random) -> Slice:
    before = process_time()
    for _ in range(LOOPS):
        sum(range(10_000))
    began = process_time()
    moves = games = 0
    while (now := process_time()) < began + SLICE_SECONDS:
        moves += play_one(key, seats, random)
        games += 1
    taken = now - began
    return Slice(moves / taken, games / taken, moves / taken * (began - before) / LOOPS)


def _row(key: str, seats: int, slices: list[Slice]) -> Row:
    moves, games, ratio = (median(values) for values in zip(*slices, strict=True))
    cells = (key, str(seats), f"{moves:,.0f}", f"{games:,.0f}", f"{ratio:.1f}")
    if seats != min(GOAL_SEATS, NEWEST[key].most_seats):
        return Row(cells)
    goal = f"≥ {GOAL_MOVES:,}, ≥ {GOAL_GAMES}"
    return Row(cells, goal, moves >= GOAL_MOVES and games >= GOAL_GAMES)
