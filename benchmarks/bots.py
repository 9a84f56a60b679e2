"""Bots: how often `steady` wins against two `random` bots at a table of three, and against one in a duel.

The seed of each game is fixed and the seats are rotated, so the shares are the same on every machine and in every run,
until a bot or a rule changes. `condottiere simulate` gives the same shares.
"""

from __future__ import annotations

from engine import DEFAULT, EDITIONS, NEWEST
from service.tools.simulation.games import make_plan, play_game
from service.tools.simulation.report import wilson

from .report import OnProgress, Row, Section

BOTS = ("steady", "random", "random")
GAMES, GAMES_OF_OTHERS = 1_500, 300
"""The number of games of the default edition, and of each other edition."""
GOAL = 0.65


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure the share of games that `steady` wins. `quick` has no effect, because fewer games would prove less."""
    results = {key: GAMES if key == DEFAULT else GAMES_OF_OTHERS for key in EDITIONS}
    rows = []
    for key, games in results.items():
        rows.append(_row(key, games, _wins(key, games)))
        on_progress(len(rows) / len(results))
    return Section(
        title="Bots",
        how=(
            "One `steady` bot against two `random` bots (one in a duel), in rotating seats. A victory shared by k "
            "bots, or a draw of k bots, counts as 1/k of a win. The bound is the lower end of Wilson's 95% "
            "interval."
        ),
        columns=("Edition", "Games", "Share won", "Lower bound"),
        rows=tuple(rows),
    )


def _wins(key: str, games: int) -> float:
    bots = BOTS[: NEWEST[key].most_seats]
    plan = make_plan(key, len(bots), bots, games, seed=0, options=[], rotate=True)
    wins = 0.0
    for number in range(1, games + 1):
        game = play_game(plan, number)
        winners = game.winners or range(len(bots))
        if game.bots.index(BOTS[0]) in winners:
            wins += 1 / len(winners)
    return wins


def _row(key: str, games: int, wins: float) -> Row:
    bound = wilson(wins, games)[0]
    cells = (key, f"{games:,}", f"{100 * wins / games:.1f}%", f"{100 * bound:.1f}%")
    return Row(cells, f"bound ≥ {100 * GOAL:.0f}%", bound >= GOAL)
