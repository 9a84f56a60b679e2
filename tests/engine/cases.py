"""Decorators that state which editions, cases and clauses a test covers.

    @proves("4.8", ZMAN, FFG)
    @proves("4.11", EUROGAMES)
    @in_editions("T29", ZMAN, FFG, EUROGAMES)
    def test_whoever_is_left_alone_plays_on(edition: str) -> None: ...

    @in_cases("row expected", ("T01", EUROGAMES, "10 6 5", 21), ("T02", (EUROGAMES, REVISED), "10 6 5 D", 42))
    def test_a_row_alone(edition: str, row: str, expected: int) -> None: ...

A clause is the number of a paragraph in an edition's rules document (`docs/rules`). A case is an id in
`docs/rules/cases.md`. The id of a test begins with its case and ends with the edition's key. A suffix after a hyphen
distinguishes two tests of the same case. If a test covers several cases or proves several clauses, spaces separate
them.
"""

from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
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
"""The printed editions from which the cases come. Tests that do not depend on a rulebook use `in_every_edition`."""

ON_THE_BOARD = (ZMAN, CLASSIC, FFG, REVISED, EUROGAMES)
REGION_LAST = (ZMAN, CLASSIC, REVISED, EUROGAMES)
"""The editions in which the next region is chosen after everything else that follows a battle."""

BOTH_EUROGAMES = (EUROGAMES, REVISED)
WITH_SPRING = (ZMAN, DUEL, FFG)
OWNED_ARE_SAFE = (ZMAN, CLASSIC, FFG, REVISED)

Test = TypeVar("Test", bound=Callable[..., None])
Tests = defaultdict[tuple[str, str], set[Callable[..., None]]]

CASES: Tests = defaultdict(set)
"""The tests of each case, by the case's id and the key of the edition in which they run."""

CLAUSES: Tests = defaultdict(set)
"""The tests that prove each clause, by the edition's key and the clause's number."""


def proves(clauses: str, *keys: str) -> Callable[[Test], Test]:
    """Declare that a test proves these clauses in the editions with these keys: it fails if a clause is violated."""
    _check(keys)

    def name(test: Test) -> Test:
        for key in keys:
            for clause in clauses.split():
                CLAUSES[key, clause].add(test)
        return test

    return name


def in_editions(case: str, *keys: str) -> Callable[[Test], Test]:
    """Run a test under a case's id, once for each of these edition keys, which is passed as `edition`."""
    return in_cases("", (case, keys))


def in_every_edition(case: str) -> Callable[[Test], Test]:
    """Run a test under a case's id, once for each edition, whose key is passed as `edition`."""
    return in_editions(case, *EDITIONS)


def in_cases(names: str, *rows: tuple[Any, ...]) -> Callable[[Test], Test]:
    """Run a test once for each key in each row. A row contains a case, one key or several, and the values."""
    params, covered = [], []
    for case, keys, *values in rows:
        for key in _check((keys,) if isinstance(keys, str) else keys):
            params.append(pytest.param(key, *values, id="-".join((*case.split(), key))))
            covered += [(one, key) for one in case.split()]

    def run(test: Test) -> Test:
        _cover(test, covered)
        return pytest.mark.parametrize(("edition", *names.split()), params)(test)

    return run


def on_the_board(case: str) -> Callable[[Test], Test]:
    """Declare that a test covers a case about the board, which all editions with a board share."""

    def name(test: Test) -> Test:
        _cover(test, [(case, key) for key in ON_THE_BOARD])
        return test

    return name


def _check(keys: tuple[str, ...]) -> tuple[str, ...]:
    for key in keys:
        assert key in EDITIONS, f"no edition has the key {key}"
    return keys


def _cover(test: Callable[..., None], covered: list[tuple[str, str]]) -> None:
    for case, key in covered:
        CASES[case.partition("-")[0], key].add(test)


def read_all_tests() -> None:
    """Fill `CASES` and `CLAUSES` from all of the engine's tests, including files that this run does not select."""
    for file in Path(__file__).parent.glob("test_*.py"):
        import_module(f"{__package__}.{file.stem}")
