"""A row's strength, counted in steps whose order the edition defines.

Each step is a function. The arguments of a step are the row, the current value of each kind of mercenary, the season in
force, and the highest kind of mercenary in any row (or `NO_CARD`). The result of a step is the amount that the step
adds to the total.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from ..cards import COURTESAN, DRUMMER, HEROINE, MERCENARIES, SPRING, VALUES, WINTER
from ..edition import StrengthStep
from ..state import NO_CARD

if TYPE_CHECKING:
    from ..edition import Edition


class Line(NamedTuple):
    """One line of an explanation: the name of a step, and the amount that the step added to the total."""

    step: str
    amount: int


def strengths(edition: Edition, rows: Sequence[Sequence[int]], season: int) -> tuple[int, ...]:
    """Return the strength of each row, in seat order.

    `rows` are counts by kind, and `season` is the kind of the season card in force or `NO_CARD`.

    >>> from engine import DEFAULT, NEWEST
    >>> from engine.cards import hand_of
    >>> rows = [hand_of(["mercenary-10", "mercenary-3", "drummer"]), hand_of(["mercenary-10", "heroine"])]
    >>> strengths(NEWEST[DEFAULT], rows, season=NO_CARD)
    (26, 20)
    """
    highest = highest_mercenary(rows)
    steps = edition.strength
    return tuple([row_strength(steps, row, season, highest) if any(row) else 0 for row in rows])


def explanations(edition: Edition, rows: Sequence[Sequence[int]], season: int) -> list[list[Line]]:
    """Return an explanation of each row's strength: lines whose amounts add up to that strength.

    Lines with amount 0 are left out.
    """
    highest = highest_mercenary(rows)
    return [_explain(edition, row, season, highest) for row in rows]


def highest_mercenary(rows: Sequence[Sequence[int]]) -> int:
    """Return the mercenary kind with the highest printed value in any row, or `NO_CARD` if there is none."""
    for kind in reversed(MERCENARIES):
        for row in rows:
            if row[kind]:
                return kind
    return NO_CARD


def row_strength(steps: Iterable[StrengthStep], row: Sequence[int], season: int, highest: int) -> int:
    """Return the strength of one row, counted in these steps. `highest` is the highest mercenary kind in any row."""
    values = list(VALUES)
    total = 0
    for _, tally in steps:
        total += tally(row, values, season, highest)
    return total


def _explain(edition: Edition, row: Sequence[int], season: int, highest: int) -> list[Line]:
    values = list(VALUES)
    steps = edition.strength if any(row) else ()
    return [Line(name, amount) for name, tally in steps if (amount := tally(row, values, season, highest))]


def count_mercenaries(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """Add the printed value of each mercenary in the row."""
    return _mercenary_total(row, values)


def apply_winter(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """If Winter is in force, make each mercenary worth 1."""
    if season != WINTER:
        return 0
    before = _mercenary_total(row, values)
    values[:] = [1] * len(values)
    return _mercenary_total(row, values) - before


def apply_drummer(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """If the row has a drummer, double the value of its mercenaries. Additional drummers have no effect."""
    if not row[DRUMMER]:
        return 0
    before = _mercenary_total(row, values)
    values[:] = [2 * value for value in values]
    return before


def apply_spring(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """If Spring is in force, add 3 to each copy of the mercenary with the highest printed value on the table."""
    if season != SPRING or highest == NO_CARD:
        return 0
    values[highest] += 3
    return 3 * row[highest]


def count_courtesans(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """Add 1 for each courtesan."""
    return row[COURTESAN]


def count_heroines(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """Add 10 for each heroine."""
    return 10 * row[HEROINE]


def _mercenary_total(row: Sequence[int], values: Sequence[int]) -> int:
    """Return the total value of a row's mercenaries. Mercenary kinds come first in `row`, in the order of `values`."""
    return sum(map(mul, values, row))


MERCENARIES_STEP = StrengthStep("mercenaries", count_mercenaries)
WINTER_STEP = StrengthStep("winter", apply_winter)
DRUMMER_STEP = StrengthStep("drummer", apply_drummer)
SPRING_STEP = StrengthStep("spring", apply_spring)
COURTESANS_STEP = StrengthStep("courtesans", count_courtesans)
HEROINES_STEP = StrengthStep("heroines", count_heroines)
