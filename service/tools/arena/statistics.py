"""The statistics of an arena: shares with intervals, the test that stops a cell, and ratings.

The statistics treat a deal as one observation, because the games of one deal are not independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from random import Random
from statistics import fmean, pvariance

from ..simulation.report import wilson

POINTS = 400 / log(10)
"""Rating points per unit of log odds. As on Elo's scale, 400 points are odds of ten to one."""
ERROR = 0.025
"""The maximum probability that the test picks the wrong side of a goal."""
RESAMPLES = 200
NEAR_THE_END = 0.1
"""If a share is this close to 0 or 1, its interval is at least as wide as for independent games."""


def interval(shares: Sequence[float], seats: int) -> tuple[float, float]:
    """Return the 95% confidence interval for the share of games won, given the share won in each deal.

    The interval is Wilson's interval for the number of independent games that would have the same variance as the
    deals.

    >>> low, high = interval([1.0, 0.5, 0.5, 0.0, 0.5, 0.5, 1.0, 0.0], seats=2)
    >>> round(low, 2), round(high, 2)
    (0.28, 0.72)
    """
    deals, share = len(shares), fmean(shares)
    variance = pvariance(shares)
    games = share * (1 - share) / variance * deals if variance else deals
    if min(share, 1 - share) <= NEAR_THE_END:
        games = min(games, deals * seats)
    return wilson(share * games, games)


def decide(shares: Sequence[float], goal: float) -> bool | None:
    """Return whether the mean of shares is above a goal, or None if the test has not decided this yet.

    The test is based on betting (Waudby-Smith and Ramdas, 2024). Two gamblers bet on every deal: one bets that the mean
    is above the goal, and the other bets that the mean is below the goal. If a gambler is wrong, the probability that
    this gambler's money ever reaches 1 / `ERROR` times the initial amount is at most `ERROR`. The test may therefore be
    repeated after every deal.

    >>> decide([1.0] * 60, 0.9), decide([0.5] * 40, 0.9), decide([1.0, 0.5] * 3, 0.9)
    (True, False, None)
    """
    above = _wealth(shares, goal)
    below = _wealth([1 - share for share in shares], 1 - goal)
    return None if max(above, below) < 1 / ERROR else above > below


def _wealth(shares: Sequence[float], goal: float) -> float:
    """Return the highest wealth of a gambler who starts with 1 and bets that the mean is above the goal."""
    wealth = most = 1.0
    count, total, squares = 1, 0.5, 0.25
    for share in shares:
        edge = total / count - goal
        bet = max(0.0, min(edge / (squares / count + edge * edge), 0.9 / goal))
        wealth *= 1 + bet * (share - goal)
        most = max(most, wealth)
        count += 1
        total += share
        squares += (share - total / count) ** 2
    return most


Shares = Mapping[tuple[str, str], Sequence[float]]
"""The share of each deal that a bot won against copies of another bot, keyed by the names of both bots."""


def ratings(shares: Shares, seats: int, zero: str) -> Mapping[str, tuple[float, float, float]]:
    """Return each bot's rating with its 95% interval, strongest first. The bot `zero` has the rating 0.

    In the model, a bot of strength a beats n - 1 copies of a bot of strength b with probability a / (a + (n - 1) b).
    The intervals are computed by drawing deals at random, with replacement, many times.
    """
    best = _fit(shares, seats, zero)
    random = Random(0)
    drawn = [
        _fit({pair: random.choices(list(values), k=len(values)) for pair, values in shares.items()}, seats, zero)
        for _ in range(RESAMPLES)
    ]
    result = {}
    for bot in sorted(best, key=lambda bot: -best[bot]):
        values = sorted(rating[bot] for rating in drawn)
        result[bot] = best[bot], values[RESAMPLES // 40], values[-1 - RESAMPLES // 40]
    return result


def _fit(shares: Shares, seats: int, zero: str) -> dict[str, float]:
    """Return the most likely ratings, after half a win and half a loss have been added to the results of each cell."""
    strength = {bot: 0.0 for pair in shares for bot in pair}
    counts = [(pair, sum(values) + 0.5, len(values) + 1) for pair, values in shares.items()]
    for _ in range(100):
        for bot in strength:
            slope = steepness = 0.0
            for (one, other), won, games in counts:
                if bot in (one, other):
                    chance = 1 / (1 + (seats - 1) * exp(strength[other] - strength[one]))
                    slope += (won - games * chance) * (1 if bot == one else -1)
                    steepness += games * chance * (1 - chance)
            strength[bot] += max(-1.0, min(1.0, slope / steepness))
    return {bot: POINTS * (value - strength[zero]) for bot, value in strength.items()}
