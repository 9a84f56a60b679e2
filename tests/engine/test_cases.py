"""The cases: `docs/rules/cases.md` lists exactly the cases that tests cover, with the clauses that the tests prove.

Cases T are examples and sentences from the rulebooks, cases F come from the full text of the 2007 rulebook, and cases B
are facts about the board.
"""

import re
from collections.abc import Iterator

import pytest

from engine import EDITIONS

from .cases import CASES, CLAUSES, PRINTED, read_all_tests
from .rules_documents import FOLDER

CASE = re.compile(r"[TFB]\d+")


def rows() -> Iterator[tuple[str, dict[str, list[str]], list[str]]]:
    """Yield each case's id, its clauses by edition key, its position, and what happens."""
    keys: list[str] = []
    for line in (FOLDER / "cases.md").read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            continue
        first, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        if first == "case":
            keys = [cell.strip("`") for cell in cells[:-2]]
        elif CASE.fullmatch(first):
            clauses = {key: cell.split(", ") for key, cell in zip(keys, cells, strict=False) if cell}
            yield first, clauses, cells[len(keys) :]


LISTED = {(case, key): numbers for case, clauses, _ in rows() for key, numbers in clauses.items()}


@pytest.fixture(autouse=True)
def _all_tests() -> None:
    read_all_tests()


def test_every_case_of_the_list_is_a_test_in_every_edition_that_it_names_and_no_other_is() -> None:
    """The test fails if a case is missing or misspelt in the list or in the tests, or is tested in fewer editions."""
    assert {named for named in CASES if CASE.fullmatch(named[0])} == set(LISTED)


def test_every_clause_of_a_case_is_proved_by_a_test_of_the_case() -> None:
    """The list therefore names only clauses that exist and that the case's tests prove."""
    unproved = [
        (case, key, number)
        for (case, key), numbers in LISTED.items()
        for number in numbers
        if not CLAUSES.get((key, number), set()) & CASES.get((case, key), set())
    ]
    assert unproved == []


def test_a_case_is_listed_once_with_its_position_and_what_happens() -> None:
    ids = [case for case, _, _ in rows()]
    assert len(ids) == len(set(ids))
    assert all(len(said) == 2 and all(said) for _, _, said in rows())


def test_the_list_has_a_column_for_every_printed_edition() -> None:
    assert {key for _, key in LISTED} == set(PRINTED) <= set(EDITIONS)
