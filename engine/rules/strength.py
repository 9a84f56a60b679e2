"""How strong a row is, step by step, in the order that the edition prints.

Every step sees the row, the value that each mercenary kind has by now, the season in force and the highest mercenary
kind laid by anyone (`NO_CARD` for none), and returns what it adds to the total.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from ..cards import COURTESAN, DRUMMER, HEROINE, MERCENARIES, SPRING, VALUES, WINTER
from ..edition import StrengthStep
from ..state import NO_CARD

if TYPE_CHECKING:
    from ..edition import Edition


class Line(NamedTuple):
    """One line of an explanation: a step's name and what it added to the total."""

    step: str
    amount: int


def strengths(edition: Edition, rows: Sequence[Sequence[int]], season: int) -> tuple[int, ...]:
    """Return the strength of each row, in seat order.

    `rows` are counts by kind, `season` is the kind of the season card in force or `NO_CARD`.

    >>> from engine import DEFAULT, NEWEST
    >>> from engine.cards import hand_of
    >>> rows = [hand_of(["mercenary-10", "mercenary-3", "drummer"]), hand_of(["mercenary-10", "heroine"])]
    >>> strengths(NEWEST[DEFAULT], rows, season=NO_CARD)
    (26, 20)
    """
    highest = highest_mercenary(rows)
    return tuple([_strength(edition, row, season, highest) if any(row) else 0 for row in rows])


def explanations(edition: Edition, rows: Sequence[Sequence[int]], season: int) -> list[list[Line]]:
    """Return for each row how its strength comes about; a step that adds nothing is left out."""
    highest = highest_mercenary(rows)
    return [_explain(edition, row, season, highest) for row in rows]


def highest_mercenary(rows: Sequence[Sequence[int]]) -> int:
    """Return the kind of the mercenary with the highest printed value in any row, `NO_CARD` if there is none."""
    for kind in reversed(MERCENARIES):
        for row in rows:
            if row[kind]:
                return kind
    return NO_CARD


def _strength(edition: Edition, row: Sequence[int], season: int, highest: int) -> int:
    values = list(VALUES)
    total = 0
    for _, tally in edition.strength:
        total += tally(row, values, season, highest)
    return total


def _explain(edition: Edition, row: Sequence[int], season: int, highest: int) -> list[Line]:
    values = list(VALUES)
    steps = edition.strength if any(row) else ()
    return [Line(name, amount) for name, tally in steps if (amount := tally(row, values, season, highest))]


def mercenaries_count_their_value(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """Add the printed value of each mercenary in the row."""
    return _worth(row, values)


def winter_makes_each_mercenary_one(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """While Winter is in force every mercenary is worth 1."""
    if season != WINTER:
        return 0
    before = _worth(row, values)
    values[:] = [1] * len(values)
    return _worth(row, values) - before


def a_drummer_doubles_the_row(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """With a drummer in the row each of its mercenaries is worth twice as much; more drummers do no more."""
    if not row[DRUMMER]:
        return 0
    before = _worth(row, values)
    values[:] = [2 * value for value in values]
    return before


def spring_adds_three_to_the_highest(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """While Spring is in force each copy of the highest mercenary on the table, by printed value, is worth 3 more."""
    if season != SPRING or highest == NO_CARD:
        return 0
    values[highest] += 3
    return 3 * row[highest]


def each_courtesan_adds_one(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """A courtesan adds 1 and is no mercenary."""
    return row[COURTESAN]


def each_heroine_adds_ten(row: Sequence[int], values: list[int], season: int, highest: int) -> int:
    """A heroine adds 10 and is no mercenary."""
    return 10 * row[HEROINE]


def _worth(row: Sequence[int], values: Sequence[int]) -> int:
    """Return what the mercenaries of a row are worth: their kinds are the first, and have values."""
    return sum(map(mul, values, row))


MERCENARIES_STEP = StrengthStep("mercenaries", mercenaries_count_their_value)
WINTER_STEP = StrengthStep("winter", winter_makes_each_mercenary_one)
DRUMMER_STEP = StrengthStep("drummer", a_drummer_doubles_the_row)
SPRING_STEP = StrengthStep("spring", spring_adds_three_to_the_highest)
COURTESANS_STEP = StrengthStep("courtesans", each_courtesan_adds_one)
HEROINES_STEP = StrengthStep("heroines", each_heroine_adds_ten)
