"""Which editions a test runs in, and under the id of which case: what the tests cover can be counted.

    @in_editions("T29", *PRINTED)
    def test_whoever_is_left_alone_plays_on(edition: str) -> None: ...

    @in_cases("row expected", ("T01", EUROGAMES, "10 6 5", 21), ("T02", (EUROGAMES, REVISED), "10 6 5 D", 42))
    def test_a_row_alone(edition: str, row: str, expected: int) -> None: ...

The id of a test begins with its case and ends with the edition's key. What follows a hyphen in a case tells two tests
of one case apart, and blanks part several cases that one test settles.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from engine import EDITIONS

ZMAN = "zman-2018"
CLASSIC = "zman-2018-classic"
DUEL = "zman-2018-duel"
FFG = "ffg-2007"
REVISED = "eurogames-revised"
EUROGAMES = "eurogames-1995"

PRINTED = (ZMAN, CLASSIC, DUEL, FFG, REVISED, EUROGAMES)
"""The editions whose rulebooks the cases were read in. What holds whatever is printed runs `in_every_edition`."""

ON_THE_BOARD = (ZMAN, CLASSIC, FFG, REVISED, EUROGAMES)
REGION_LAST = (ZMAN, CLASSIC, REVISED, EUROGAMES)
"""The editions in which the next region is chosen after everything else that follows a battle."""

BOTH_EUROGAMES = (EUROGAMES, REVISED)
ALONE_IS_ASKED = (REVISED,)
"""The editions whose newest revision asks the only seat with cards whether it keeps them."""
WITH_SPRING = (ZMAN, DUEL, FFG)
OWNED_ARE_SAFE = (ZMAN, CLASSIC, FFG, REVISED)

THE_BOARD = "italy"
"""Stands for an edition in the cases about the board, which is one for all."""

COVERED: set[tuple[str, str]] = set()
"""Every case that a test runs, with the key of the edition in which it does."""

Test = TypeVar("Test", bound=Callable[..., None])


def in_editions(case: str, *keys: str) -> pytest.MarkDecorator:
    """Run a test under the id of a case, once with each of these keys as its `edition`."""
    return in_cases("", (case, keys))


def in_every_edition(case: str) -> pytest.MarkDecorator:
    """Run a test under the id of a case, once with the key of each edition that there is as its `edition`."""
    return in_editions(case, *EDITIONS)


def in_cases(names: str, *rows: tuple[Any, ...]) -> pytest.MarkDecorator:
    """Run a test once for each row and each of its keys: a row is its case, one key or several, and the values."""
    params = []
    for case, keys, *values in rows:
        for key in (keys,) if isinstance(keys, str) else keys:
            _cover(case, key)
            params.append(pytest.param(key, *values, id="-".join((*case.split(), key))))
    return pytest.mark.parametrize(("edition", *names.split()), params)


def on_the_board(case: str) -> Callable[[Test], Test]:
    """Say that a test settles a case about the board."""
    _cover(case, THE_BOARD)
    return lambda test: test


def _cover(cases: str, key: str) -> None:
    assert key in (*EDITIONS, THE_BOARD), f"no edition has the key {key}"
    COVERED.update((case.partition("-")[0], key) for case in cases.split())
