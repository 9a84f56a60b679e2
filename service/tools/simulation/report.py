"""The report of a simulation: counts over all games, and the tables made from these counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from rich import box
from rich.table import Table

from .games import Game, Plan

CONFIDENCE = 0.95


@dataclass
class Standing:
    """The counts of one bot, or of one seat."""

    games: int = 0
    wins: Fraction = Fraction(0)
    """The number of wins. A victory shared by k seats, or a draw of k seats, counts as 1/k for each seat."""
    par: Fraction = Fraction(0)
    """The expected number of wins with equally strong seats: the bot's share of the seats, summed over all games."""

    def add(self, wins: Fraction, par: Fraction) -> None:
        """Count one more game."""
        self.games += 1
        self.wins += wins
        self.par += par


@dataclass
class Tally:
    """The counts over all games so far. Memory use does not grow with the number of games."""

    games: int = 0
    bots: dict[str, Standing] = field(default_factory=lambda: defaultdict(Standing))
    seats: dict[int, Standing] = field(default_factory=lambda: defaultdict(Standing))
    reasons: Counter[tuple[str, ...]] = field(default_factory=Counter)
    moves: Counter[int] = field(default_factory=Counter)
    """The number of games of each length, keyed by the number of moves."""
    battles: Counter[int] = field(default_factory=Counter)

    def add(self, game: Game) -> None:
        """Count one more game."""
        seats = len(game.bots)
        winners = game.winners or range(seats)
        won = [Fraction(seat in winners, len(winners)) for seat in range(seats)]
        for bot in dict.fromkeys(game.bots):
            own = [seat for seat in range(seats) if game.bots[seat] == bot]
            self.bots[bot].add(sum((won[seat] for seat in own), Fraction(0)), Fraction(len(own), seats))
        for seat in range(seats):
            self.seats[seat].add(won[seat], Fraction(1, seats))
        self.games += 1
        self.reasons[game.reasons] += 1
        self.moves[game.moves] += 1
        self.battles[game.battles] += 1


def wilson(wins: float, games: float) -> tuple[float, float]:
    """Return the 95% confidence interval for a share of wins, from 0 to 1 (E. B. Wilson, 1927). `games` is positive.

    >>> [round(end, 3) for end in wilson(5, 10)]
    [0.237, 0.763]
    """
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share = wins / games
    middle = share + z * z / (2 * games)
    reach = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def quantile(lengths: Mapping[int, int], percent: int) -> int:
    """Return a percentile of the games' lengths. `lengths` counts games by length.

    >>> quantile({3: 1, 4: 1, 9: 2}, 50)
    4
    """
    remaining = -(-percent * sum(lengths.values()) // 100)
    for length in sorted(lengths):
        remaining -= lengths[length]
        if remaining <= 0:
            return length
    raise ValueError("there are no games")


def title(plan: Plan, games: int) -> str:
    """Return a line that describes the games."""
    words = [f"{games:,} game{'' if games == 1 else 's'} of {plan.edition}", f"{len(plan.bots)} seats"]
    words += [f"{key}={value}" for key, value in plan.options]
    return ", ".join([*words, f"seed {plan.seed}" if plan.rotate else f"seed {plan.seed}, not rotated"])


def tables(tally: Tally) -> Iterator[Table]:
    """Yield the tables for one or more games: the bots, the seats, the reasons and the lengths."""
    bots = sorted(tally.bots.items(), key=lambda item: ((item[1].par - item[1].wins) / item[1].games, item[0]))
    yield _standings("Bot", dict(bots))
    yield _standings("Seat", {str(seat): standing for seat, standing in sorted(tally.seats.items())})
    yield _reasons(tally)
    yield _lengths(tally)


def _standings(heading: str, standings: Mapping[str, Standing]) -> Table:
    table = _table(heading, "Games", "Wins", "Share", "95% interval", "Par")
    for name, standing in standings.items():
        low, high = wilson(float(standing.wins), standing.games)
        table.add_row(
            name,
            f"{standing.games:,}",
            f"{float(standing.wins):,.1f}",
            _percent(standing.wins / standing.games),
            f"{100 * low:.1f} to {_percent(high)}",
            _percent(standing.par / standing.games),
        )
    return table


def _reasons(tally: Tally) -> Table:
    table = _table("End", "Games", "Share")
    for reasons, games in sorted(tally.reasons.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(" + ".join(reasons), f"{games:,}", _percent(games / tally.games))
    return table


def _lengths(tally: Tally) -> Table:
    table = _table("Length", "Mean", "Median", "p95")
    for name, lengths in (("moves", tally.moves), ("battles", tally.battles)):
        mean = sum(length * games for length, games in lengths.items()) / tally.games
        table.add_row(name, f"{mean:,.1f}", f"{quantile(lengths, 50):,}", f"{quantile(lengths, 95):,}")
    return table


def _table(heading: str, *numbers: str) -> Table:
    """Return an empty table: a column of names, then numbers."""
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column(heading)
    for number in numbers:
        table.add_column(number, justify="right", no_wrap=True)
    return table


def _percent(share: float | Fraction) -> str:
    return f"{100 * float(share):.1f}%"
