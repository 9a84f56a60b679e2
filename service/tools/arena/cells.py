"""The cells of an arena. In a cell, one bot plays against copies of another bot at one kind of table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from engine import NEWEST

from ..simulation.games import Playing, check_table, read_options
from ..simulation.players import BadPlan, find_player, full_name


class Cell(NamedTuple):
    """One bot against copies of another bot in all other seats.

    Each numbered deal is played once from every seat, always with the same opening hands. `goal` is a share of wins,
    from 0 to 1. A cell stops as soon as its results show that the bot's share of wins is above or below the goal.
    Without a goal, all deals of the cell are played.
    """

    edition: str
    options: tuple[tuple[str, str | int], ...]
    seats: int
    bot: str
    others: str
    seed: int
    deals: int
    goal: float | None

    @property
    def key(self) -> str:
        """The name of this cell in the results file. The name contains everything on which the cell's games depend."""
        words = [f"{self.edition}@{NEWEST[self.edition].revision}", *_texts(self.options), f"seats={self.seats}"]
        return " ".join([*words, self.bot, self.others, f"seed={self.seed}"])

    @property
    def table(self) -> str:
        """The edition, its options and the number of seats, as readable text."""
        return ", ".join([self.edition, *_texts(self.options), f"{self.seats} seats"])


class Deal(NamedTuple):
    """The results of one deal: the bot's wins from each seat, and the median and 95th percentile of the bot's CPU time.

    A victory shared by k seats counts as 1/k of a win. A draw counts as a victory shared by all seats. The times are in
    microseconds per move. `cpu` is None if the deal was not timed.
    """

    number: int
    won: tuple[float, ...]
    cpu: tuple[int, int] | None

    @property
    def share(self) -> float:
        """The share of the deal's games that the bot won."""
        return sum(self.won) / len(self.won)


def make_cells(
    editions: Sequence[str],
    seats: Sequence[int],
    bots: Sequence[str],
    options: Sequence[str],
    seed: int,
    deals: int,
    goal: float | None,
) -> list[Cell]:
    """Return the cells of a round robin, in which every bot plays against each later bot in `bots` at each table.

    A table size that an edition does not support is skipped. Raises: BadPlan.
    """
    chosen = read_options(options)
    names = [full_name(bot) for bot in bots]
    for name in names:
        find_player(name)
    if len(set(names)) < max(2, len(names)):
        raise BadPlan("name at least two bots, and each bot only once")
    cells = [
        Cell(edition, tuple(sorted(chosen.items())), number, bot, others, seed, deals, goal)
        for edition in editions
        for number in _supported(edition, seats, chosen)
        for bot, others in combinations(names, 2)
    ]
    if not cells:
        check_table(editions[0], seats[0], chosen)
    return cells


def play_deal(cell: Cell, number: int) -> Deal:
    """Play the games of one deal, one from each seat. The games depend only on the cell and the deal's number."""
    won, times = [], []
    for seat in range(cell.seats):
        bots = [cell.others] * cell.seats
        bots[seat] = cell.bot
        playing = Playing(cell.edition, dict(cell.options), bots, f"{cell.seed}/{number}")
        while playing.state.result is None:
            move = playing.move()
            if move.seat == seat:
                times.append(move.nanoseconds // 1000)
        winners = playing.state.result.winners or range(cell.seats)
        won.append((seat in winners) / len(winners))
    times.sort()
    return Deal(number, tuple(won), (times[len(times) // 2], times[len(times) * 95 // 100]))


def _supported(edition: str, seats: Sequence[int], options: Mapping[str, str | int]) -> Iterator[int]:
    """Yield the numbers in `seats` that an edition supports with these options.

    Yields nothing if one of the options does not exist in the edition. Raises: BadPlan if there is no such edition.
    """
    supported = False
    for number in seats:
        try:
            check_table(edition, number, options)
        except BadPlan:
            continue
        supported = True
        yield number
    if not supported and edition not in NEWEST:
        check_table(edition, seats[0], options)


def _texts(options: Sequence[tuple[str, str | int]]) -> list[str]:
    return [f"{key}={str(value).lower()}" for key, value in options]
